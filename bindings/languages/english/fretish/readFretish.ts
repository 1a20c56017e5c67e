import { requireText } from '../../../base/suggest.js';
import { type Formula, isOfPast } from '../../logic/index.js';
import {
  and,
  constant,
  endpointsOf,
  type FretCell,
  type FretCondition,
  type FretScope,
  type FretTiming,
  fretFutureForm,
  fretPastForm,
  not,
  or,
  predicate,
} from '../core/index.js';
import { ConditionReader } from './condition.js';
import { FretishCursor } from './cursor.js';

/** A requirement read from a sentence of FRETish. */
export interface FretishRequirement {
  readonly component: string;
  /** The parts of the requirement and what they are. */
  readonly cell: FretCell;
  /** The unit written after the duration, such as `seconds`; null if there is none. It means steps. */
  readonly unit: string | null;
  /** The meaning on finite runs, with operators of the future: what holds at the first step of runs that satisfy the requirement. */
  readonly formula: Formula;
  /** The same with operators of the past, at the last step of a run; null if the sentence itself speaks of later steps (`persists`, `occurs`, `nextOcc`). */
  readonly past: Formula | null;
}

const units = /^(ticks?|microsec(ond)?s?|millisec(ond)?s?|sec(ond)?s?|minutes?|hours?)$/;
const qualifiers = ['upon', 'whenever', 'when', 'unless', 'where', 'if'] as const;
const timings =
  'within for after until before at immediately initially finally eventually always never'.split(' ');

/**
 * Reads a sentence of FRETish, NASA's structured English for requirements: `[scope] [condition] component shall [timing] satisfy response`. FRET's own words are
 * written in any case. As in FRET, a unit of time means steps: `3 seconds` are 3 steps.
 *
 * @param sentence For example `In landing mode, when alarm the autopilot shall within 3 ticks satisfy !descending`
 * @param options.name The name of the source in error messages; default `sentence`.
 * @throws ParseError with the place, what was found, what was expected and the nearest word; also for `with probability`
 * @source FRET 3.1 (NASA): grammar and user manual, https://github.com/NASA-SW-VnV/fret
 */
export function readFretish(sentence: string, options: { readonly name?: string } = {}): FretishRequirement {
  requireText('readFretish', sentence);
  return new Reader(new FretishCursor(sentence, options.name ?? 'sentence')).read();
}

/** The scope, condition or timing that a sentence begins with; nothing of it if it has none. */
interface Scope {
  readonly scope: FretScope;
  readonly mode?: Formula;
}

class Reader {
  readonly #cursor: FretishCursor;
  #conditions: ConditionReader;
  #unit: string | null = null;

  constructor(cursor: FretishCursor) {
    this.#cursor = cursor;
    this.#conditions = new ConditionReader(cursor, endpointsOf('null', constant(true)));
  }

  read(): FretishRequirement {
    const cursor = this.#cursor;
    if (cursor.token.kind === 'text' && cursor.ahead(1).kind === 'end') {
      throw cursor.errorAt(
        cursor.token.place,
        'free text in quotes has no meaning in FRETish',
        'a requirement without quotes',
      );
    }
    const scope = this.#scope();
    this.#conditions = new ConditionReader(cursor, endpointsOf(scope.scope, scope.mode ?? constant(true)));
    const condition = this.#condition();
    const component = this.#component();
    this.#refuseProbability();
    const timing = this.#timing();
    this.#refuseProbability();
    cursor.expectWord('satisfy');
    const response = this.#conditions.read();
    cursor.take('.');
    if (cursor.token.kind !== 'end') throw cursor.unexpected('an operator or the end of the sentence');
    const cell: FretCell = { ...scope, ...condition, ...timing, response };
    const past = fretPastForm(cell);
    const unit = this.#unit;
    return { component, cell, unit, formula: fretFutureForm(cell), past: isOfPast(past) ? past : null };
  }

  #scope(): Scope {
    const cursor = this.#cursor;
    const scope = this.#scopeWords();
    if (scope.scope !== 'null') cursor.take(',');
    return scope;
  }

  #scopeWords(): Scope {
    const cursor = this.#cursor;
    if (cursor.takeWord('only') !== undefined) {
      const word = cursor.takeWord('after', 'before');
      if (word === 'after') return { scope: 'onlyAfter', mode: this.#mode() };
      if (word === 'before') return { scope: 'onlyBefore', mode: this.#mode() };
      return { scope: 'onlyIn', mode: this.#inside() };
    }
    if (cursor.takeWord('except') !== undefined) return { scope: 'notin', mode: this.#inside() };
    if (cursor.sees('when', 'not', 'in') || cursor.sees('if', 'not', 'in')) {
      cursor.advance();
      cursor.advance();
      return { scope: 'notin', mode: this.#inside() };
    }
    if (cursor.sees('unless', 'in')) {
      cursor.advance();
      return { scope: 'notin', mode: this.#inside() };
    }
    const within = ['in', 'during', 'while'].some((word) => cursor.sees(word));
    if (within || cursor.sees('when', 'in') || cursor.sees('if', 'in')) {
      return { scope: 'in', mode: this.#inside() };
    }
    const word = cursor.takeWord('after', 'before') as 'after' | 'before' | undefined;
    return word === undefined ? { scope: 'null' } : { scope: word, mode: this.#mode() };
  }

  /** `in landing mode`, `during mode landing`, `while altitude > 3`. */
  #inside(): Formula {
    const cursor = this.#cursor;
    if (cursor.takeWord('while') !== undefined) return this.#conditions.read();
    cursor.takeWord('when', 'if');
    cursor.expectWord('in', 'during');
    return this.#modeName() ?? predicate(cursor.name('the name of a mode'));
  }

  #mode(): Formula {
    return this.#modeName() ?? this.#conditions.read();
  }

  #modeName(): Formula | undefined {
    const cursor = this.#cursor;
    const [first, second] = [cursor.token, cursor.ahead(1)];
    const isName = ({ kind }: typeof first): boolean => kind === 'word' || kind === 'text';
    if (cursor.sees('mode') && isName(second)) {
      cursor.advance();
      return predicate(cursor.name('the name of a mode'));
    }
    if (!isName(first) || second.lower !== 'mode') return undefined;
    const name = cursor.name('the name of a mode');
    cursor.advance();
    return predicate(name);
  }

  #condition(): { condition: FretCondition; trigger?: Formula } {
    const cursor = this.#cursor;
    if (qualifiers.some((word) => cursor.sees('and', word))) cursor.advance();
    let trigger: Formula | undefined;
    let condition = 'null' as FretCondition;
    let first: string | undefined;
    for (;;) {
      const offset = cursor.at(',') ? 1 : 0;
      const joined = trigger !== undefined && /^(and|or)$/.test(cursor.ahead(offset).lower);
      const next = cursor.ahead(offset + (joined ? 1 : 0));
      if (next.kind !== 'word' || !qualifiers.includes(next.lower as (typeof qualifiers)[number])) break;
      if (offset === 1) cursor.advance();
      const join = joined && cursor.advance().lower === 'or' ? or : and;
      const { lower: word, place } = cursor.advance();
      first ??= word;
      if ((first === 'whenever') !== (word === 'whenever'))
        throw cursor.errorAt(
          place,
          `"${first}" and "${word}" in one condition: "whenever" is each step at which it holds, any other word each step at which it becomes true`,
          'one of them for the whole condition, such as "whenever p & q" or "when p & q"',
        );
      condition = word === 'whenever' ? 'holding' : 'regular';
      const read = this.#conditions.read();
      const denied = cursor.takeWord('is') !== undefined && cursor.expectWord('true', 'false') === 'false';
      const one = denied === (word === 'unless') ? read : not(read);
      trigger = trigger === undefined ? one : join(trigger, one);
    }
    if (trigger === undefined) return { condition };
    cursor.take(',');
    return { condition, trigger };
  }

  #component(): string {
    const cursor = this.#cursor;
    const asked = cursor.takeWord('shall') !== undefined;
    cursor.takeWord('the');
    const name = cursor.name('the name of a component');
    if (!asked && cursor.takeWord('shall') === undefined) {
      throw cursor.unexpected('shall after the name of the component', ['shall']);
    }
    return name;
  }

  #refuseProbability(): void {
    const cursor = this.#cursor;
    const offset = cursor.at(',') ? 1 : 0;
    const word = cursor.ahead(offset);
    if (word.lower !== 'with' || cursor.ahead(offset + 1).lower !== 'probability') return;
    throw cursor.errorAt(
      word.place,
      'a probability is no part of a rule; the rule says what must hold, and the guard says how likely it is to be broken',
      'the sentence without "with probability", and a threshold of the rule in the specification',
    );
  }

  #timing(): { timing: FretTiming; duration?: number; stop?: Formula } {
    const cursor = this.#cursor;
    const comma = cursor.take(',');
    const word = cursor.takeWord(...timings);
    if (word === undefined) {
      if (comma || !cursor.sees('satisfy'))
        throw cursor.unexpected(`${timings.join(', ')} or satisfy`, [...timings, 'satisfy']);
      return { timing: 'null' };
    }
    const timing = this.#timingOf(word);
    cursor.take(',');
    return timing;
  }

  #timingOf(word: string): { timing: FretTiming; duration?: number; stop?: Formula } {
    switch (word) {
      case 'within':
      case 'for':
      case 'after':
        return { timing: word, duration: this.#duration() };
      case 'until':
      case 'before':
        return { timing: word, stop: this.#conditions.read() };
      case 'at':
        return { timing: this.#timepoint() };
      case 'initially':
        return { timing: 'immediately' };
      default:
        return { timing: word as FretTiming };
    }
  }

  #timepoint(): FretTiming {
    const cursor = this.#cursor;
    cursor.expectWord('the');
    const which = cursor.expectWord('first', 'same', 'next', 'last');
    cursor.expectWord('timepoint');
    return which === 'next' ? 'next' : which === 'last' ? 'finally' : 'immediately';
  }

  #duration(): number {
    const cursor = this.#cursor;
    const { kind, text } = cursor.token;
    if (kind !== 'number' || !Number.isSafeInteger(Number(text))) {
      throw cursor.unexpected('a whole number of steps such as 3 ticks');
    }
    cursor.advance();
    if (cursor.token.kind === 'word' && units.test(cursor.token.lower)) this.#unit = cursor.advance().lower;
    else if (!cursor.sees('satisfy') && !cursor.at(',') && !cursor.sees('with')) {
      throw cursor.unexpected('ticks, seconds or satisfy', [
        'ticks',
        'seconds',
        'minutes',
        'hours',
        'satisfy',
      ]);
    }
    return Number(text);
  }
}
