"""Headings in German, French and Spanish, as people write them over their own tables."""

from __future__ import annotations

OTHER_LANGUAGES: dict[str, tuple[str, ...]] = {
    "question": ("frage", "fragen", "nutzerfrage", "benutzerfrage", "anfrage", "requête", "requete", "pregunta", "preguntas", "consulta"),
    "response": ("antwort", "antworten", "systemantwort", "generierte_antwort", "réponse", "reponse", "réponses", "reponses", "respuesta", "respuestas"),
    "passages": ("kontext", "kontexte", "passagen", "textstellen", "abschnitte", "dokumente", "quellen", "contexte", "contextes", "extraits", "contexto", "contextos",
                 "pasajes", "fragmentos", "documentos"),
    "reference": ("referenz", "referenzantwort", "musterantwort", "erwartete_antwort", "sollantwort", "référence", "réponse_attendue",
                  "reponse_attendue", "réponse_de_référence", "reponse_de_reference", "referencia", "respuesta_esperada", "respuesta_de_referencia"),
    "model": ("modell", "modèle", "modele", "modelo"),
}
"""By our field, normalised. Tried after the English names, so that a file that has both is read as before."""
