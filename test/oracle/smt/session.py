"""cvc5 or z3 by their packages for Python: answers scripts in SMT-LIB 2.6, one JSON line [script, milliseconds] after another, with JSON lines."""
import json
import re
import sys


def cvc5_answer(script, milliseconds):
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("strings-exp", "true")
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    symbols = parser.getSymbolManager()
    output = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return output
        output += command.invoke(solver, symbols)
        # After these there are no values to get.
        if output.startswith(("unsat", "unknown")):
            # SMT-LIB has `unknown` alone: cvc5 adds why.
            return re.sub(r"^unknown \([A-Z_]+\)", "unknown", output)


def z3_answer(script, milliseconds):
    import z3

    context = z3.Context()
    question, values = script.split("(check-sat)")
    output = z3.Z3_eval_smtlib2_string(
        context.ref(), f"(set-option :timeout {milliseconds})\n{question}(check-sat)"
    )
    return output + z3.Z3_eval_smtlib2_string(context.ref(), values) if output.startswith("sat") else output


answer = {"cvc5": cvc5_answer, "z3": z3_answer}[sys.argv[1]]
for line in sys.stdin:
    script, milliseconds = json.loads(line)
    try:
        result = answer(script, milliseconds)
    except Exception as error:
        result = f"(error {json.dumps(str(error)[:300])})"
    print(json.dumps(result), flush=True)
