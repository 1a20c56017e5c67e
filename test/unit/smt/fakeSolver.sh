# A solver that fails in one of the ways in which programs do: sh fakeSolver.sh MODE
# A shell starts in a hundredth of the time that Node takes.
script=$(cat)
version='(:version "fake 1")'
say() { printf '%s\n' "$@"; }
case $1 in
  unsat) say "$version" unsat '(error "no model")' ;;
  unsatThenError)
    say "$version" unsat '(error "no model is available")'
    exit 1
    ;;
  sat) say "$version" sat '((|n| 7))' ;;
  unknown) say "$version" unknown ;;
  crash) exit 3 ;;
  crashAfterUnsat)
    say "$version" unsat
    exit 134
    ;;
  killed)
    say "$version" unsat
    kill -SEGV $$
    ;;
  garbage) printf '<html>busy</html> unsat' ;;
  error) say "$version" '(error "line 1: unknown option")' unsat ;;
  twoMinds) say "$version" unsat sat ;;
  tail) say "$version" sat '((|n| 7))' unsat ;;
  silence) ;;
  brackets) printf '%100000s' '' | tr ' ' '(' ;;
  model) say "$version" sat '((|n| maybe))' ;;
  complains)
    printf 'cannot open the licence' >&2
    exit 2
    ;;
  hang) exec sleep 1000000 ;;
  flood) exec yes 'unsat unsat unsat unsat unsat unsat unsat unsat' ;;
  echo)
    case $script in
      *'(check-sat)'*) say "$version" unsat ;;
      *) say "$version" unknown ;;
    esac
    ;;
esac
