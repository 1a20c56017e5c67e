import type { Rational } from '../rational.js';

/** One distribution being put together: targets with bounds on their probabilities, equal ones added up. */
export class Row {
  readonly targets: number[] = [];
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  readonly exact: (Rational | undefined)[] = [];
  /** Where each target is; used once a row is long. */
  private readonly places = new Map<number, number>();

  constructor(private readonly keepExact: boolean) {}

  clear(): void {
    this.targets.length = 0;
    this.lower.length = 0;
    this.upper.length = 0;
    this.exact.length = 0;
    this.places.clear();
  }

  add(target: number, lower: number, upper: number, exact: Rational | undefined): void {
    const at = this.find(target);
    if (at < 0) {
      if (this.targets.length >= SHORT) this.places.set(target, this.targets.length);
      this.targets.push(target);
      this.lower.push(lower);
      this.upper.push(upper);
      if (this.keepExact) this.exact.push(exact);
      return;
    }
    this.lower[at] += lower;
    this.upper[at] += upper;
    if (this.keepExact) this.exact[at] = exact && this.exact[at]?.plus(exact);
  }

  /** The order of the targets, ascending. */
  order(): number[] {
    return this.targets.map((_, i) => i).sort((a, b) => this.targets[a] - this.targets[b]);
  }

  private find(target: number): number {
    const searched = Math.min(this.targets.length, SHORT);
    for (let i = 0; i < searched; i++) if (this.targets[i] === target) return i;
    return this.targets.length > SHORT ? (this.places.get(target) ?? -1) : -1;
  }
}

const SHORT = 16;
