"""Sums as people write them: "15% z 2400", "1 234,50 * 12", "2 plus 2". Exact, and bounded in size and depth."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, localcontext

from django.utils.translation import gettext_lazy as _

from ingestion.text.numerals import GROUPED, SPACES
from knowledgetree.errors import KnowledgeTreeError

_LONGEST = 200  # characters of an expression
_DEEPEST = 20  # nested operations
_GREATEST_POWER = 100
_DIGITS = 50  # of precision; results of more digits before the comma are refused
_DECIMALS = 10

_NUMBER = (
    rf"(?:{GROUPED}(?:[.,]\d+)?|\d{{1,3}}(?:\.\d{{3}})+,\d+|\d{{1,3}}(?:,\d{{3}})+\.\d+"
    r"|\d+(?:[.,]\d+)?)(?![.,]?\d)"
)
_PERCENT_OF = re.compile(rf"({_NUMBER})\s*%\s*(?:z|od|of)\s+", re.IGNORECASE)
_MARKED_UP = re.compile(rf"\s*({_NUMBER})\s*([+-])\s*({_NUMBER})\s*%\s*")
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", ":": "/", "−": "-", "–": "-", "^": "**"})

_CUE = re.compile(
    r"(?:(?:ile\s+(?:to\s+jest|jest\s+to|to|jest|wynosi|będzie|bedzie|daje)|policz|oblicz|wylicz|what(?:\s+is|'s)|how\s+much\s+is"
    r"|calculate|compute)\b|=)\s*(?:mi\s+)?",
    re.IGNORECASE,
)
_WORDS = (
    (re.compile(r"\b(?:plus|dodać|dodac)\b", re.IGNORECASE), "+"),
    (re.compile(r"\b(?:minus|odjąć|odjac)\b", re.IGNORECASE), "-"),
    (re.compile(r"\b(?:razy|times|multiplied by|pomnożone przez|pomnozone przez)\b", re.IGNORECASE), "*"),
    (re.compile(r"\b(?:podzielić|podzielic|podzielone|dzielone|divided)\s+(?:przez|by|na)\b", re.IGNORECASE), "/"),
    (re.compile(r"(?<=[\d ])(?:procenta|procent|percent)\b", re.IGNORECASE), "%"),
    (re.compile(r"(?<=\d)\s*(?:zł|zl|pln|złotych|zlotych|euro|eur|usd|€|\$)(?![^\W_])", re.IGNORECASE), ""),
)
_SUM = re.compile(rf"(?:{_NUMBER}|[-+*/:×·⋅÷−–^()%\s]|(?<=%)\s*(?:z|od|of)\b)+", re.IGNORECASE)
_OPERATION = re.compile(r"[\d)%]\s*(?:\*\*|[-+*/:×·⋅÷−–^])\s*[-(]*\d|%\s*(?:z|od|of)\s+[\d(]", re.IGNORECASE)
# Without "ile to": "45/2024" is the number of an act, "12-04-2024" a date, "10:30" a time.
_PLAINLY_A_SUM = re.compile(r"[\d)%]\s*[+*×·⋅÷^]|[\d)%]\s+[-/:−–]\s+[\d(]|%\s*(?:z|od|of)\s", re.IGNORECASE)

_OPERATIONS: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


class CalculationError(KnowledgeTreeError):
    """The expression cannot be computed; the message says why."""

    code = "invalid_calculation"
    status = 400
    remedy = _("Write numbers with + - * / and brackets, such as 15% of 2400 or (2 + 3) * 4.")


def spoken(question: str) -> str | None:
    """The sum that is all `question` asks for, for `evaluate`; None where it asks for anything else."""
    text = question.strip().rstrip("?!.= ")
    cue = _CUE.match(text)
    text = text[cue.end() :] if cue else text
    for words, sign in _WORDS:
        text = words.sub(sign, text)
    text = " ".join(text.split())
    if len(text) > _LONGEST or not _SUM.fullmatch(text) or not _OPERATION.search(text):
        return None
    return text if cue or _PLAINLY_A_SUM.search(text) else None


def evaluate(expression: str) -> Decimal:
    """The value of `expression`, in Polish or English notation, to ten decimal places. Raises CalculationError."""
    if len(expression) > _LONGEST:
        raise CalculationError(_("The calculation is too long."))
    source = _as_python(expression)
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CalculationError(_("This is not a calculation: %s") % expression) from error
    with localcontext(Context(prec=_DIGITS)):
        try:
            return _rounded(_value(tree.body, source, _DEEPEST))
        except (DivisionByZero, ZeroDivisionError) as error:
            raise CalculationError(_("One cannot divide by zero.")) from error
        except DecimalException as error:
            raise CalculationError(_("The calculation has no result that can be shown.")) from error


def written(value: Decimal, language: str) -> str:
    """ "14 814" or "1 234,5" in Polish, "14,814" and "1,234.5" in English."""
    plain = f"{value:,f}"
    return plain if language == "en" else plain.replace(",", "\u00a0").replace(".", ",")


def _as_python(expression: str) -> str:
    marked_up = _MARKED_UP.fullmatch(expression.translate(_SIGNS))
    if marked_up:  # "2400 + 23%" adds 23% of 2400
        base, sign, percent = (_plain(part) for part in marked_up.groups())
        return f"{base} * (100 {sign} {percent}) / 100"
    text = _PERCENT_OF.sub(lambda match: f"{_plain(match.group(1))} / 100 * ", expression.translate(_SIGNS))
    text = _PERCENT.sub(lambda match: f"({_plain(match.group(1))} / 100)", text)
    return re.sub(_NUMBER, lambda match: _plain(match.group()), text).strip()


def _plain(number: str) -> str:
    """The number with a decimal point and nothing else: the last of "." and "," is the decimal sign."""
    digits = re.sub(rf"[{SPACES}]", "", number)
    if "," in digits and "." in digits:
        digits = digits.replace("." if digits.rfind(",") > digits.rfind(".") else ",", "")
    whole, point, decimals = digits.replace(",", ".").partition(".")
    return (whole.lstrip("0") or "0") + point + decimals


def _value(node: ast.expr, source: str, depth: int) -> Decimal:
    if depth == 0:
        raise CalculationError(_("The calculation is nested too deeply."))
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return Decimal(ast.get_source_segment(source, node) or "")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, source, depth - 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, source, depth - 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _operated(op, _value(left, source, depth - 1), _value(right, source, depth - 1))
    raise CalculationError(_("This is not a calculation: %s") % source)


def _operated(op: ast.operator, left: Decimal, right: Decimal) -> Decimal:
    if isinstance(op, ast.Pow) and abs(right) > _GREATEST_POWER:
        raise CalculationError(_("The power is too great."))
    return _OPERATIONS[type(op)](left, right)


def _rounded(value: Decimal) -> Decimal:
    if not value.is_finite() or value.adjusted() >= _DIGITS - _DECIMALS:
        raise InvalidOperation
    shown = value.quantize(Decimal(1).scaleb(-_DECIMALS)).normalize()
    return shown.quantize(Decimal(1)) if shown == shown.to_integral() else shown
