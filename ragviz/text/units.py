"""Units of measurement and currencies: what they measure and how many base units they hold."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class Unit(NamedTuple):
    """One unit."""

    name: str
    """The word people read: "kg"."""
    dimension: str
    """What it measures; only quantities of one dimension can be compared."""
    factor: Decimal
    """Base units in one of it."""
    offset: Decimal = Decimal(0)
    """Added after multiplying; only temperatures have one."""


# One line a unit: dimension, name, factor, aliases; "_" stands for a space inside an alias. Aliases with a capital or of one or two
# letters are matched as written, the rest in any case.
_TABLE = """
length mm 0.001 mm millimetre millimetres millimeter millimeters Millimeter millimètres
length cm 0.01 cm centimetre centimetres centimeter centimeters Zentimeter centimètres
length dm 0.1 dm decimetre decimetres
length m 1 m metre metres meter meters Meter Metern mètre mètres
length km 1000 km kms kilometre kilometres kilometer kilometers Kilometer Kilometern kilomètre kilomètres
length µm 0.000001 µm μm micron microns micrometre micrometres micrometer micrometers
length nm 0.000000001 nm nanometre nanometres nanometer nanometers
length in 0.0254 inch inches ″ Zoll
length ft 0.3048 ft foot feet ′
length yd 0.9144 yd yard yards
length mi 1609.344 mi mile miles Meile Meilen
length nmi 1852 nmi nautical_mile nautical_miles
length ly 9460730472580800 ly light-year light-years light_year light_years
mass mg 0.000001 mg milligram milligrams milligrammes
mass µg 0.000000001 µg μg mcg microgram micrograms
mass g 0.001 g gram grams gramme grammes Gramm
mass kg 1 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes Kilogramm
mass t 1000 t tonne tonnes metric_ton metric_tons Tonne Tonnen
mass ton 907.18474 ton tons
mass lb 0.45359237 lb lbs
mass oz 0.028349523125 oz ounce ounces
volume ml 0.001 ml mL millilitre millilitres milliliter milliliters Milliliter
volume cl 0.01 cl centilitre centilitres
volume l 1 l L litre litres liter liters Liter Litern
volume hl 100 hl hectolitre hectolitres
volume m³ 1000 m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters Kubikmeter
volume cm³ 0.001 cm³ cm3 cc
volume gal 3.785411784 gal gallon gallons
volume pt 0.473176473 pint pints
area m² 1 m² m2 sqm square_metre square_metres square_meter square_meters Quadratmeter
area km² 1000000 km² km2 sq_km square_kilometre square_kilometres square_kilometer square_kilometers Quadratkilometer
area cm² 0.0001 cm² cm2 square_centimetre square_centimetres square_centimeter square_centimeters
area ha 10000 ha hectare hectares Hektar
area ft² 0.09290304 ft² sq_ft square_foot square_feet
area mi² 2589988.110336 sq_mi square_mile square_miles
area acre 4046.8564224 acre acres
time ms 0.001 ms millisecond milliseconds Millisekunden
time µs 0.000001 µs μs microsecond microseconds
time ns 0.000000001 ns nanosecond nanoseconds
time s 1 s sec secs seconds second Sekunde Sekunden seconde secondes
time min 60 min mins minute minutes Minute Minuten
time h 3600 h hr hrs hour hours Stunde Stunden heure heures
time day 86400 day days Tag Tage Tagen jour jours calendar_day calendar_days
time week 604800 week weeks wk wks Woche Wochen semaine semaines
time fortnight 1209600 fortnight fortnights
time month 2629746 month months Monat Monate Monaten mois
time quarter 7889238 Quartal Quartale
time year 31556952 year years yr yrs Jahr Jahre Jahren ans année années annees
time decade 315569520 decade decades Jahrzehnt Jahrzehnte décennie décennies
time century 3155695200 century centuries Jahrhundert Jahrhunderte siècle siècles
workday business_day 1 business_day business_days working_day working_days workday workdays Werktag Werktage Werktagen Arbeitstag Arbeitstage Arbeitstagen jour_ouvré jours_ouvrés
speed km/h 0.2777777777777778 km/h kmh kph kilometres_per_hour kilometers_per_hour
speed mph 0.44704 mph miles_per_hour
speed m/s 1 m/s metres_per_second meters_per_second
speed kn 0.5144444444444444 kn knot knots Knoten
data bit 0.125 bit bits
data B 1 B byte bytes Byte
data kB 1000 kB KB kilobyte kilobytes
data MB 1000000 MB megabyte megabytes
data GB 1000000000 GB gigabyte gigabytes
data TB 1000000000000 TB terabyte terabytes
data PB 1000000000000000 PB petabyte petabytes
data KiB 1024 KiB kibibytes
data MiB 1048576 MiB mebibytes
data GiB 1073741824 GiB gibibytes
datarate kbit/s 1000 kbit/s kbps
datarate Mbit/s 1000000 Mbit/s Mbps Mb/s megabits_per_second
datarate Gbit/s 1000000000 Gbit/s Gbps Gb/s gigabits_per_second
energy J 1 J joule joules
energy kJ 1000 kJ kilojoule kilojoules
energy MJ 1000000 MJ megajoules
energy cal 4.184 cal calories
energy kcal 4184 kcal kilocalorie kilocalories
energy Wh 3600 Wh watt-hours
energy kWh 3600000 kWh kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours Kilowattstunden
energy MWh 3600000000 MWh megawatt_hours megawatt-hours
energy GWh 3600000000000 GWh gigawatt_hours gigawatt-hours
energy TWh 3600000000000000 TWh terawatt_hours
power mW 0.001 mW milliwatts
power W 1 W watt watts
power kW 1000 kW kilowatt kilowatts
power MW 1000000 MW megawatt megawatts
power GW 1000000000 GW gigawatt gigawatts
power hp 745.699872 hp horsepower PS
pressure Pa 1 Pa pascal pascals
pressure hPa 100 hPa
pressure kPa 1000 kPa
pressure bar 100000 bar bars
pressure mbar 100 mbar
pressure psi 6894.757 psi
voltage V 1 V volt volts
voltage mV 0.001 mV millivolts
voltage kV 1000 kV kilovolts
current A 1 amp amps ampere amperes
current mA 0.001 mA milliamps
frequency Hz 1 Hz hertz
frequency kHz 1000 kHz kilohertz
frequency MHz 1000000 MHz megahertz
frequency GHz 1000000000 GHz gigahertz
sound dB 1 dB decibel decibels
percent % 1 % percent per_cent pct Prozent pour_cent
percent ‰ 0.1 ‰
points pp 1 percentage_point percentage_points pp Prozentpunkte
points bp 0.01 bp bps basis_points basis_point
temperature °C 1 °C degrees_Celsius degree_Celsius degrees_celsius degrees_C celsius Grad_Celsius degrés_Celsius ℃
temperature K 1 kelvin
degree ° 1 ° degree degrees Grad degré degrés
times times 1 times fold x ×
"""
_FAHRENHEIT = Unit("°F", "temperature", Decimal(5) / Decimal(9), Decimal(-160) / Decimal(9))
_KELVIN = Unit("K", "temperature", Decimal(1), Decimal("-273.15"))

_CURRENCY_TABLE = """
USD $ US$ USD dollar dollars U.S._dollar U.S._dollars US_dollar US_dollars bucks
EUR € EUR euro euros Euro Euros
GBP £ GBP pound pounds pound_sterling quid
JPY ¥ JPY yen
CNY CNY RMB yuan renminbi
INR ₹ INR rupee rupees Rs
CHF CHF franc francs Franken
CAD CAD C$ CA$ Canadian_dollar Canadian_dollars
AUD AUD A$ AU$ Australian_dollar Australian_dollars
SEK SEK kronor krona
NOK NOK kroner
PLN PLN zloty złoty
KRW KRW ₩
RUB RUB ₽ rouble roubles ruble rubles
BRL BRL R$ reais
MXN MXN
TRY TRY ₺ lira
ILS ILS ₪ shekels
"""
CENTS = frozenset({"cent", "cents", "pence", "¢", "ct"})
PREFIX_SIGNS = "$€£¥₹₩₽₺₪"
"""Currency signs that stand before the number."""


def _tables() -> tuple[dict[str, Unit], dict[str, Unit]]:
    exact: dict[str, Unit] = {}
    any_case: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, name, factor, *aliases = line.split()
        unit = Unit(name.replace("_", " "), dimension, Decimal(factor))
        for alias in aliases:
            word = alias.replace("_", " ")
            exact[word] = unit
            if len(word) > 2 and word == word.lower():
                any_case[word] = unit
    for alias in ("°F", "℉", "degrees Fahrenheit", "degree Fahrenheit", "degrees fahrenheit", "degrees F", "fahrenheit", "Fahrenheit", "Grad Fahrenheit"):
        exact[alias] = _FAHRENHEIT
    exact["kelvin"] = exact["Kelvin"] = any_case["kelvin"] = _KELVIN
    for alias in ("Celsius", "Watt", "Volt", "Joule", "Bit", "Bar"):
        exact[alias] = exact[alias.lower()]
    for line in _CURRENCY_TABLE.strip().splitlines():
        code, *aliases = line.split()
        unit = Unit(code, "money", Decimal(1))
        for alias in aliases:
            word = alias.replace("_", " ")
            exact[word] = unit
            if len(word) > 2 and word == word.lower():
                any_case[word] = unit
    return exact, any_case


EXACT, ANY_CASE = _tables()


def unit_named(word: str) -> Unit | None:
    """The unit a word or sign stands for; symbols are case-sensitive (mW is not MW), words are not."""
    return EXACT.get(word) or ANY_CASE.get(word.lower())


def currency_named(word: str) -> Unit | None:
    """The currency a sign, code or word stands for."""
    unit = EXACT.get(word)
    return unit if unit is not None and unit.dimension == "money" else None
