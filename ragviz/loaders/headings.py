"""Headings of tables: what they are called in other languages, and how repeated ones are told apart."""

from __future__ import annotations

OTHER_LANGUAGES: dict[str, tuple[str, ...]] = {
    "question": ("frage", "fragen", "nutzerfrage", "benutzerfrage", "anfrage", "requête", "requete", "pregunta", "preguntas", "consulta"),
    "response": ("antwort", "antworten", "systemantwort", "generierte_antwort", "réponse", "reponse", "réponses", "reponses", "respuesta", "respuestas"),
    "passages": ("kontext", "kontexte", "passagen", "textstelle", "textstellen", "fundstelle", "fundstellen", "auszug", "auszüge", "abschnitt", "abschnitte", "dokumente", "quellen", "contexte", "contextes", "extraits", "contexto", "contextos",
                 "pasajes", "fragmentos", "documentos"),
    "reference": ("referenz", "referenzantwort", "musterantwort", "erwartete_antwort", "sollantwort", "référence", "réponse_attendue",
                  "reponse_attendue", "réponse_de_référence", "reponse_de_reference", "referencia", "respuesta_esperada", "respuesta_de_referencia"),
    "id": ("nr", "nr.", "lfd_nr", "lfd._nr.", "nummer", "numéro", "numero", "número", "n°"),
    "started_at": ("zeitpunkt", "zeitstempel", "horodatage", "marca_de_tiempo"),
    "latency_ms": ("dauer_ms", "antwortzeit_ms", "durée_ms", "duración_ms"),
    "latency_s": ("dauer_s", "antwortzeit_s", "durée_s", "duración_s"),
    "cost_usd": ("kosten_usd", "coût_usd", "costo_usd", "coste_usd"),
    "model": ("modell", "modèle", "modele", "modelo"),
}
"""By our field, normalised. Tried after the English names, so that a file that has both is read as before."""


def told_apart(names: list[str]) -> list[str]:
    """Repeated headings with a number behind: question, question.1, …"""
    found: list[str] = []
    seen: set[str] = set()
    counted: dict[str, int] = {}
    for name in names:
        fresh = name
        while name and fresh in seen:
            counted[name] = counted.get(name, 0) + 1
            fresh = f"{name}.{counted[name]}"
        found.append(fresh)
        seen.add(fresh)
    return found
