import type { Formula } from '../../languages/logic/index.js';
import { written } from './asWritten.js';
import type { Core } from './core.js';
import type { Obligation } from './explanation.js';
import { lookAhead } from './look.js';
import type { Owed } from './obligations.js';
import type { PredicateNames } from './predicateNames.js';
import type { Words } from './words.js';

/** Describes open obligations, as data and in words. */
export class Describer {
  readonly #words: Words;
  readonly #names: PredicateNames;
  /** Number of the first step. */
  readonly #first: number;
  readonly #length: number;

  constructor(words: Words, names: PredicateNames, first: number, length: number) {
    this.#words = words;
    this.#names = names;
    this.#first = first;
    this.#length = length;
  }

  obligation(owed: Owed, because: Obligation['because']): Obligation {
    const { part, wanted, since, standing } = owed;
    const last = this.#length - 1;
    // All that the part depends on has been read, so what is open could not be.
    const isUnread = since + lookAhead(part) <= last;
    const deadline = isUnread ? null : deadlineOf(owed, last);
    const stepsLeft = deadline === null ? null : deadline - last;
    return {
      formula: this.#text(part, wanted),
      since: this.#words.number(since + this.#first),
      deadline: deadline === null ? null : this.#words.number(deadline + this.#first),
      stepsLeft,
      secondsLeft: stepsLeft === null ? null : this.#words.seconds(stepsLeft),
      ...(isUnread || isOver(owed, last)
        ? { dischargedBy: null, brokenBy: null }
        : this.#outcomes(part, wanted)),
      because,
      standing: standing && because.length === 0,
      phrase: isUnread
        ? `whether ${this.#quoted(part, true)} held at ${this.#step(since)} could not be read`
        : this.#phrase(owed, deadline),
    };
  }

  /** The events at a single future step that settle or break a part. */
  #outcomes(part: Core, wanted: boolean): { dischargedBy: string | null; brokenBy: string | null } {
    switch (part.kind) {
      case 'until': {
        const { left, right } = part;
        if (wanted) {
          const neither = left && this.#names.show(both(written(left, false), written(right, false)));
          return { dischargedBy: this.#text(right, true), brokenBy: neither };
        }
        const keeper = part.weak?.right ?? null;
        const released = left && (keeper ? this.#text(keeper, true) : this.#text(left, false));
        return { dischargedBy: released, brokenBy: this.#text(right, true) };
      }
      case 'next':
        return {
          dischargedBy: this.#text(part.operand, wanted),
          brokenBy: this.#text(part.operand, !wanted),
        };
      default:
        return { dischargedBy: null, brokenBy: null };
    }
  }

  #phrase({ part, wanted, since }: Owed, deadline: number | null): string {
    const quoted = (inner: Core, positive: boolean): string => this.#quoted(inner, positive);
    const last = this.#length - 1;
    switch (part.kind) {
      case 'next':
        if (wanted && isTrue(part.operand)) return `the run must go on to ${this.#step(since + 1)}`;
        return `${this.#step(since + 1)}${wanted ? '' : ', if there is one,'} must have ${quoted(part.operand, wanted)}`;
      case 'until': {
        if (isOver({ part, since }, last)) break;
        const first = since + part.from;
        const opens = first > last + 1 ? ` from ${this.#step(first)} on` : '';
        const due = deadline === null ? '' : ` by ${this.#step(deadline)}`;
        const span = deadline === null ? opens : `${opens} up to ${this.#step(deadline)}`;
        if (wanted) {
          const comes = `${quoted(part.right, true)} must come${opens}${due || ' before the run ends'}`;
          return part.left === null ? comes : `${comes}, and ${quoted(part.left, true)} last until then`;
        }
        if (part.weak) {
          return `${quoted(part.weak.left, true)} must last until ${quoted(part.weak.right, true)} comes${span}`;
        }
        const never =
          part.right.kind === 'boolean'
            ? `no step${span} may have ${quoted(part.right, true)}`
            : `every step${span} must have ${quoted(part.right, false)}`;
        return part.left === null ? never : `${never} before ${quoted(part.left, false)} has come`;
      }
    }
    return `${quoted(part, wanted)} must hold at ${this.#step(since)}`;
  }

  #text(part: Core, wanted: boolean): string {
    return this.#names.show(written(part, wanted));
  }

  #quoted(part: Core, wanted: boolean): string {
    return this.#names.quote(written(part, wanted));
  }

  #step(step: number): string {
    return this.#words.step(step + this.#first);
  }
}

/** Whether a part demands nothing. */
function isTrue(part: Core): boolean {
  return part.kind === 'boolean' && part.formula.kind === 'constant' && part.formula.value;
}

/** Whether the last step of the part's window has been read; only what must hold at its steps can still be open. */
function isOver({ part, since }: Pick<Owed, 'part' | 'since'>, last: number): boolean {
  return part.kind === 'until' && part.to !== null && since + part.to <= last;
}

/** The last step of the part's window, or, if that has been read, the last step on which the part depends. */
function deadlineOf(owed: Owed, last: number): number | null {
  const { part, since } = owed;
  const isOpen = part.kind === 'until' && !isOver(owed, last);
  const steps = isOpen ? (part.to ?? Number.POSITIVE_INFINITY) : lookAhead(part);
  return steps === 0 || steps === Number.POSITIVE_INFINITY ? null : since + steps;
}

function both(left: Formula, right: Formula): Formula {
  return { kind: 'and', left, right, place: left.place };
}
