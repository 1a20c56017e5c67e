"""cvc5 as a program that reads a script in SMT-LIB 2.6 from standard input, by its package for Python (pip install cvc5)."""
import sys

import cvc5

terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
solver.setOption("strings-exp", "true")
if len(sys.argv) > 1:
    solver.setOption("tlimit-per", sys.argv[1])
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "script")
symbols = parser.getSymbolManager()
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    sys.stdout.write(command.invoke(solver, symbols))
    sys.stdout.flush()
