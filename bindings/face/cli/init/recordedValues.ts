import { isObject } from '../../../base/objectKind.js';

/** At most so many different texts or numbers are kept of a field. */
const MAX_VALUES = 12;
const MAX_SAMPLE = 10_000;

/** What recordings hold of one field: kinds of values, how often, ranges. */
export class RecordedValues {
  /** How often the field was there. */
  count = 0;
  texts = 0;
  booleans = 0;
  trues = 0;
  numbers = 0;
  integers = 0;
  minimum = Infinity;
  maximum = -Infinity;
  lists = 0;
  longest = 0;
  maps = 0;
  nulls = 0;
  /** How often each text was there; null once there were more than twelve. */
  values: Map<string, number> | null = new Map();
  /** What lists hold, element by element. */
  #elements: RecordedValues | null = null;
  readonly fields = new Map<string, RecordedValues>();
  readonly #sample: number[] = [];

  get elements(): RecordedValues | null {
    return this.#elements;
  }

  add(value: unknown): void {
    this.count++;
    if (typeof value === 'string') {
      this.texts++;
      if (this.values !== null) this.values.set(value, (this.values.get(value) ?? 0) + 1);
      if (this.values !== null && this.values.size > MAX_VALUES) this.values = null;
    } else if (typeof value === 'number' && Number.isFinite(value)) {
      this.numbers++;
      if (Number.isInteger(value)) this.integers++;
      this.minimum = Math.min(this.minimum, value);
      this.maximum = Math.max(this.maximum, value);
      if (this.#sample.length < MAX_SAMPLE) this.#sample.push(value);
    } else if (typeof value === 'boolean') {
      this.booleans++;
      if (value) this.trues++;
    } else if (Array.isArray(value)) {
      this.lists++;
      this.longest = Math.max(this.longest, value.length);
      this.#elements ??= new RecordedValues();
      for (const element of value) this.#elements.add(element);
    } else if (isObject(value)) {
      this.maps++;
      for (const [key, one] of Object.entries(value)) {
        let field = this.fields.get(key);
        if (field === undefined) {
          field = new RecordedValues();
          this.fields.set(key, field);
        }
        field.add(one);
      }
    } else this.nulls++;
  }

  /** How many numbers `quantile` and `above` look at. */
  get sampled(): number {
    return this.#sample.length;
  }

  /** How many of the first ten thousand numbers are above a bound. @param orAt also those that are equal to it */
  above(bound: number, orAt: boolean): number {
    return this.#sample.filter((value) => value > bound || (orAt && value === bound)).length;
  }

  /** The value that a share of the numbers does not exceed, of the first ten thousand. */
  quantile(share: number): number {
    const sorted = this.#sample.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  }
}
