"""The few looks that config.toml cannot give. Constant text only: nothing from a trace ever comes near this file."""

from __future__ import annotations

import streamlit as st

# An icon name (":material/…:") would make every browser fetch it from a font service: nothing here may call out.
FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 20 20"><rect x="1.5" y="3" width="17" height="3.4" rx="1.2" fill="#47505f"/>
<rect x="1.5" y="8.3" width="11" height="3.4" rx="1.2" fill="#0b7a75"/><rect x="1.5" y="13.6" width="14" height="3.4" rx="1.2" fill="#47505f"/></svg>"""

# The name is drawn as outlines: a picture in a page has no access to the page's fonts.
_LOGO = """<svg xmlns="http://www.w3.org/2000/svg" width="74" height="24" viewBox="0 0 74 24" role="img" aria-label="ragviz">
<rect x="1.5" y="4.5" width="17" height="3.6" rx="1.2" fill="{ink}"/><rect x="1.5" y="10.2" width="11" height="3.6" rx="1.2" fill="{accent}"/>
<rect x="1.5" y="15.9" width="14" height="3.6" rx="1.2" fill="{ink}"/>
<path fill="{ink}" d="M28.1 17.6V9.17H30.14L30.32 10.64H30.38Q30.84 9.79 31.48 9.38Q32.12 8.96 32.78 8.96Q33.13 8.96 33.37 9Q33.61 9.04 33.78 9.13L33.3 11.25Q33.1
11.2 32.92 11.18Q32.74 11.15 32.46 11.15Q31.98 11.15 31.46 11.5Q30.94 11.84 30.6 12.71V17.6Z M36.84 17.8Q36.07 17.8 35.51 17.46Q34.94 17.13
34.63 16.55Q34.32 15.97 34.32 15.26Q34.32 13.9 35.45 13.16Q36.58 12.41 39.08 12.15Q39.05 11.79 38.91 11.53Q38.77 11.26 38.49 11.11Q38.2
10.97 37.74 10.97Q37.21 10.97 36.67 11.16Q36.13 11.34 35.51 11.69L34.62 10.06Q35.16 9.74 35.74 9.48Q36.32 9.23 36.94 9.1Q37.57 8.96 38.23
8.96Q39.3 8.96 40.05 9.38Q40.8 9.8 41.19 10.64Q41.58 11.49 41.58 12.78V17.6H39.53L39.36 16.74H39.29Q38.75 17.21 38.16 17.5Q37.56 17.8 36.84
17.8Z M37.68 15.84Q38.11 15.84 38.43 15.66Q38.75 15.48 39.08 15.15V13.72Q38.19 13.84 37.67 14.03Q37.16 14.22 36.94 14.49Q36.72 14.75 36.72
15.07Q36.72 15.46 36.98 15.65Q37.25 15.84 37.68 15.84Z M46.53 21.19Q45.55 21.19 44.75 20.96Q43.95 20.73 43.48 20.27Q43.01 19.8 43.01
19.05Q43.01 18.52 43.32 18.1Q43.63 17.67 44.2 17.35V17.28Q43.88 17.05 43.66 16.71Q43.43 16.36 43.43 15.85Q43.43 15.39 43.71 14.97Q43.98
14.55 44.37 14.27V14.2Q43.93 13.89 43.58 13.32Q43.24 12.74 43.24 12.01Q43.24 11 43.73 10.32Q44.23 9.64 45.02 9.3Q45.82 8.96 46.73 8.96Q47.08
8.96 47.42 9.01Q47.75 9.07 48.04 9.17H51.12V10.99H49.71V11.05Q49.88 11.28 49.96 11.54Q50.05 11.8 50.05 12.13Q50.05 13.08 49.61 13.7Q49.16
14.32 48.41 14.63Q47.65 14.93 46.73 14.93Q46.5 14.93 46.24 14.89Q45.99 14.85 45.7 14.77Q45.55 14.91 45.48 15.03Q45.41 15.16 45.41 15.4Q45.41
15.7 45.7 15.86Q45.98 16.01 46.67 16.01H48.04Q49.59 16.01 50.42 16.52Q51.26 17.02 51.26 18.16Q51.26 19.03 50.68 19.72Q50.1 20.4 49.04
20.79Q47.98 21.19 46.53 21.19Z M46.73 13.42Q47.06 13.42 47.32 13.26Q47.57 13.1 47.73 12.79Q47.88 12.48 47.88 12.01Q47.88 11.33 47.55
10.99Q47.23 10.64 46.73 10.64Q46.23 10.64 45.9 10.99Q45.58 11.33 45.58 12.01Q45.58 12.48 45.73 12.79Q45.88 13.1 46.14 13.26Q46.4 13.42 46.73
13.42Z M46.93 19.62Q47.5 19.62 47.93 19.48Q48.36 19.35 48.61 19.11Q48.86 18.88 48.86 18.58Q48.86 18.18 48.53 18.05Q48.2 17.93 47.58
17.93H46.7Q46.27 17.93 46 17.9Q45.73 17.88 45.52 17.82Q45.29 18.02 45.17 18.22Q45.06 18.41 45.06 18.65Q45.06 19.13 45.58 19.37Q46.09 19.62
46.93 19.62Z M54.4 17.6 51.56 9.17H54.07L55.17 13.15Q55.33 13.77 55.49 14.42Q55.66 15.07 55.82 15.74H55.89Q56.05 15.07 56.21 14.42Q56.38
13.77 56.54 13.15L57.64 9.17H60.03L57.28 17.6Z M61.19 17.6V9.17H63.69V17.6Z M62.44 7.93Q61.81 7.93 61.42 7.57Q61.03 7.21 61.03 6.62Q61.03
6.03 61.42 5.67Q61.81 5.31 62.44 5.31Q63.07 5.31 63.46 5.67Q63.85 6.03 63.85 6.62Q63.85 7.21 63.46 7.57Q63.07 7.93 62.44 7.93Z M65.27
17.6V16.26L68.82 11.13H65.68V9.17H71.93V10.5L68.39 15.64H72.05V17.6Z"/></svg>"""

_CSS = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 28px; padding-right: 28px; max-width: 1720px; }
.st-key-menu { padding-bottom: 12px; margin-bottom: 2px; border-bottom: 1px solid light-dark(#d9dde4, #363b46); }
.st-key-menu [data-testid="stCaptionContainer"] p { font-size: 11.5px; font-weight: 650; padding: 10px 8px 2px; color: light-dark(#686f7d, #959dab); }
.st-key-menu [data-testid="stPageLink-NavLink"] { height: 27px; padding: 2px 8px; border-radius: 6px; }
/* Streamlit marks a link that has the focus by a hint of grey, which nobody sees. */
[data-testid="stPageLink-NavLink"]:focus-visible { outline: 2px solid light-dark(#0b7a75, #45c4b3); outline-offset: 1px; }
[data-testid^="stBaseButton-primary"] { color: light-dark(#ffffff, #0c1a19); }
/* Without this a ticked box looks empty, and a slider has no track, where the system chooses the colours. */
@media (forced-colors: active) { [data-testid="stCheckbox"] label > span + div, [data-testid="stSlider"] [role="group"] > [data-orientation] > div:not([data-testid]) { forced-color-adjust: none; } }
/* The name of a box that cannot be used yet is still there to be read. */
[data-testid="stSelectbox"]:has(input:disabled) [data-testid="stWidgetLabel"] p { color: light-dark(#686f7d, #959dab); }
.st-key-cap-position p { padding-bottom: 7px; }
/* Streamlit draws no picture narrower than 150 px: six cards in a line need a window of 1410, below it they stand in two lines of three. */
@media (max-width: 1409px) {
  [data-testid="stMain"] [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"] [class*="st-key-card-"]) { flex-wrap: wrap; }
  [data-testid="stMain"] [data-testid="stColumn"]:has([class*="st-key-card-"]) { min-width: calc(33.3% - 12px); }
}
/* Narrow windows: boxes and cards stack before their words are cut, and pictures with columns of words beside them scroll inside their box. */
@media (max-width: 1150px) {
  [data-testid="stMain"] [data-testid="stHorizontalBlock"] { flex-wrap: wrap; }
  [data-testid="stMain"] [data-testid="stColumn"] { min-width: 138px; }
  [data-testid="stMain"] [data-testid="stColumn"]:has([data-testid="stHeading"] h1) { min-width: 100%; }
  [data-testid="stMain"] [data-testid="stColumn"]:has([class*="st-key-box-"]) { min-width: min(420px, 100%); }
  [data-testid="stMain"] [data-testid="stColumn"]:has([class*="st-key-box-trend"], [class*="st-key-box-mix"]) { min-width: 250px; }
  [data-testid="stMain"] [data-testid="stColumn"]:has(.st-key-box-plot) { min-width: 100%; }
  [data-testid="stMain"] [class*="st-key-box-"] [data-testid="stColumn"] { min-width: 0; }
  [data-testid="stMain"] [class*="st-key-box-curves"] [data-testid="stColumn"] { min-width: 138px; }
  [class*="st-key-differences-"], [class*="st-key-slices-"], [class*="st-key-costs-"] { min-width: 900px; }
  .st-key-box-ranks [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) { min-width: 1080px; }
  .st-key-box-differences, .st-key-box-slices-compared, .st-key-box-costs, .st-key-box-ranks { overflow-x: auto; }
  [class*="st-key-card"] p { white-space: normal; }
}
/* Four small pictures side by side would be narrower than Streamlit draws them: two lines of two. */
@media (max-width: 1000px) { [data-testid="stMain"] .st-key-box-quality [data-testid="stColumn"] { min-width: calc(50% - 12px); } }
/* Wide windows: the Inspector's controls share the line of its title; the viewer keeps that corner free (viewer.css, same width). */
@media (min-width: 1280px) {
  .st-key-toprow { margin-bottom: -68px; position: relative; z-index: 2; pointer-events: none; }
  .st-key-toprow > * { pointer-events: auto; }
}
</style>"""


def is_dark() -> bool:
    """Whether this browser shows the dark theme."""
    return st.context.theme.type == "dark"


def apply() -> None:
    """Logo and page margins."""
    ink, accent = ("#e8eaef", "#45c4b3") if is_dark() else ("#1f2430", "#0b7a75")
    st.logo(_LOGO.format(ink=ink, accent=accent), size="medium")
    st.html(_CSS)
