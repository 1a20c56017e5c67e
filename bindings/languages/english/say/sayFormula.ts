import { type Count, type Formula, printFormula, strongForm, type Window } from '../../logic/index.js';
import { createLexicon, type Lexicon } from '../lexicon/index.js';
import { sayWindow } from './sayWindow.js';

type Unary = Extract<Formula, { kind: 'unary' }>;
type Binary = Extract<Formula, { kind: 'binary' }>;

const COUNTED = {
  '<': 'fewer than',
  '<=': 'at most',
  '=': 'exactly',
  '>=': 'at least',
  '>': 'more than',
} as const;

/** Words with which clauses are joined. A sentence of the lexicon that has one stands in parentheses. */
const JOINING = /\b(?:and|or|if|until|since|held|comes|except)\b|[,;:]/i;

/**
 * Says a formula in English, as one sentence with capital and full stop, about a run from its first step on. Every formula has a sentence, and different formulas
 * have different ones: parts that are no single predicates stand in parentheses wherever the words alone would leave open what belongs together. The common
 * shapes of rules have sentences of their own, such as "Whenever the stove is on, the agent is in the kitchen."
 *
 * @param lexicon how predicates are said; default: by their names
 * @throws NotSupportedError for a window on X, WX, Y or WY
 */
export function sayFormula(formula: Formula, lexicon: Lexicon = createLexicon()): string {
  const said = new Sayer(lexicon).sentence(formula);
  return `${said[0].toUpperCase()}${said.slice(1)}.`;
}

class Sayer {
  readonly #lexicon: Lexicon;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** The shapes that rules mostly have; any other formula is a clause. */
  sentence(formula: Formula): string {
    if (formula.kind === 'binary' && formula.operator === 'W' && formula.window === null) {
      const { left, right } = formula;
      if (left.kind === 'not') return `never ${this.#part(left.operand)} before ${this.#part(right)}`;
    }
    if (formula.kind !== 'unary' || formula.operator !== 'G' || formula.window !== null)
      return this.#clause(formula);
    const { operand } = formula;
    if (operand.kind === 'not') return `never ${this.#part(operand.operand)}`;
    if (operand.kind === 'implies')
      return `whenever ${this.#part(operand.left)}, ${this.#answer(operand.right)}`;
    return `always ${this.#part(operand)}`;
  }

  /** What is asked whenever something holds. */
  #answer(formula: Formula): string {
    if (formula.kind === 'unary' && formula.operator === 'F') {
      const { window } = formula;
      if (window === null) return `sooner or later ${this.#part(formula.operand)}`;
      if (window.from === '0' && window.to !== null)
        return `within ${sayWindow(window, 'from now').replace(/^at most | from now$/g, '')} ${this.#part(formula.operand)}`;
    }
    return this.#clause(formula);
  }

  /** Words that may reach to the end of the sentence or of the parenthesis that they stand in. */
  #clause(formula: Formula): string {
    switch (formula.kind) {
      case 'not':
        return formula.operand.kind === 'predicate'
          ? this.#part(formula)
          : `it is not so that ${this.#clause(formula.operand)}`;
      case 'and':
      case 'or': {
        const left = formula.left.kind === formula.kind ? this.#clause(formula.left) : this.#part(formula.left);
        return `${left} ${formula.kind} ${this.#part(formula.right)}`;
      }
      case 'implies':
        return `if ${this.#part(formula.left)}, then ${this.#clause(formula.right)}`;
      case 'iff':
        return `${this.#part(formula.left)} if and only if ${this.#part(formula.right)}`;
      case 'unary':
        return this.#unary(formula);
      case 'binary':
        return this.#binary(formula);
      case 'count':
        return this.#count(formula);
      case 'probability': {
        const path = `the probability that ${this.#part(formula.path)}`;
        return formula.bound === null
          ? `asked is ${path}`
          : `${path} is ${PROBABILITY[formula.bound.operator]} ${formula.bound.text}`;
      }
      default:
        return this.#part(formula);
    }
  }

  #unary(formula: Unary): string {
    const { operator, operand, window } = formula;
    if (operator === 'X' || operator === 'WX' || operator === 'Y' || operator === 'WY') {
      // Refuses a window.
      strongForm(formula);
      return `${NEIGHBOUR[operator]}, ${this.#clause(operand)}`;
    }
    const some = operator === 'F' || operator === 'O' ? 'at some step' : 'at every step';
    return `${some} ${range(window, operator === 'F' || operator === 'G')}, ${this.#clause(operand)}`;
  }

  #binary(formula: Binary): string {
    const { operator, left, right, window } = formula;
    const [first, second] = [this.#part(left), this.#part(right)];
    if (operator === 'S') return `${first} since ${second} ${range(window, false)}`;
    if (operator === 'U') return `${first} until ${second} comes ${range(window, true)}`;
    // A window on the weak ones means what their definition says, which plain words do not.
    if (window !== null) return this.#clause(weakByStrong(formula));
    if (operator === 'W') return `${first} until ${second}, if that ever comes`;
    return `${second} up to and with the step at which ${first}, if that ever comes`;
  }

  #count({ operator, times, operand, window }: Count): string {
    const steps = `${COUNTED[operator]} ${times} step${times === 1 ? '' : 's'}`;
    return `${this.#part(operand)} held at ${steps} ${range(window, false)}`;
  }

  /** Words that stand for themselves: the sentence of a predicate, or a clause in parentheses. */
  #part(formula: Formula): string {
    if (formula.kind === 'predicate') return this.#phrase(formula.name, 'holds');
    if (formula.kind === 'not' && formula.operand.kind === 'predicate')
      return this.#phrase(formula.operand.name, 'not');
    if (formula.kind === 'constant') return formula.value ? 'anything happens' : 'the impossible happens';
    if (formula.kind === 'comparison') return printFormula(formula).replace(/^`?(.*?)`?$/s, '`$1`');
    return `(${this.#clause(formula)})`;
  }

  #phrase(name: string, which: 'holds' | 'not'): string {
    const phrase = this.#lexicon.phrasesOf(name)[which];
    return JOINING.test(phrase.replaceAll(/`[^`]*`/g, '')) ? `(${phrase})` : phrase;
  }
}

const NEIGHBOUR = {
  X: 'at the next step, which must come',
  WX: 'at the next step, if it comes',
  Y: 'at the step before, which there must be',
  WY: 'at the step before, if there was one',
} as const;

const PROBABILITY = { '<': 'below', '<=': 'at most', '>=': 'at least', '>': 'above' } as const;

function range(window: Window | null, isAhead: boolean): string {
  if (window === null) return isAhead ? 'from now on' : 'up to now';
  return sayWindow(window, isAhead ? 'from now' : 'ago');
}

/** A weak operator as the negation of the strong one that defines it. */
function weakByStrong(formula: Binary): Formula {
  const { left, right, window } = strongForm(formula);
  const { place } = formula;
  return {
    kind: 'not',
    operand: { kind: 'binary', operator: 'U', left: left as Formula, right, window, place },
    place,
  };
}
