//! E03xx: types.

codes! {
    MISMATCH = "E0330": "a value of another type"
    MAYBE_NULL = "E0331": "a value that may be null"
    DIFFERENT_TYPES = "E0332": "types that have nothing in common"
    BAD_OPERAND = "E0333": "an operand of the wrong kind"
    NOT_ORDERED = "E0334": "values without an order"
    BAD_ARGUMENTS = "E0335": "arguments that do not fit the parameters"
    MEMBERS = "E0336": "members that are missing or too many"
    NOT_INDEXED = "E0337": "a value that cannot be indexed"
    CASES = "E0338": "a field of another case"
    BAD_LITERAL = "E0339": "a literal that means nothing"
    INCOMPLETE_MATCH = "E0340": "a match that leaves values out"
    MATCH_ARMS = "E0341": "an arm that is never taken"
    UNTYPED = "E0342": "a variable without a type"
    NOT_TEXT = "E0343": "a value that has no spelling"
    DUPLICATE_MEMBER = "E0344": "a member given twice"
    NOT_A_LIST = "E0345": "nothing to run over"
}
