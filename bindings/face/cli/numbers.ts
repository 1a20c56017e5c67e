import { InvalidArgumentError } from '../../base/errors.js';

/** Parses the value of `--precision`. */
export function parsePrecision(text: string): number {
  const precision = Number(text);
  if (precision > 0 && precision < 1) return precision;
  throw new InvalidArgumentError(
    `--precision is "${text}"; expected a number above 0 and below 1, such as 1e-6`,
  );
}

/** Parses the value of `--horizons`: numbers of steps, separated by commas. */
export function parseHorizons(text: string | undefined): number[] {
  if (text === undefined) return [];
  const horizons = text.split(',').map(Number);
  if (horizons.every((steps) => Number.isSafeInteger(steps) && steps > 0)) return horizons;
  throw new InvalidArgumentError(`--horizons is "${text}"; expected numbers of steps such as 5,10,50`);
}

/** Parses the value of `--thresholds`: risks, separated by commas; undefined if it is not given. */
export function parseThresholds(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const risks = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (risks.every((risk) => risk >= 0 && risk <= 1)) return risks;
  throw new InvalidArgumentError(
    `--thresholds is "${text}"; expected risks from 0 to 1, such as 0.1,0.3,0.5`,
  );
}

/** Parses the value of an option that counts things, 1 or more; undefined if it is not given. */
export function parseCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError(`${option} is "${text}"; expected a whole number above 0, such as 1000000`);
}

/** Parses a whole number from 0 to `most`. */
export function parseUpTo(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new InvalidArgumentError(`${option} is "${text}"; expected a whole number from 0 to ${most}`);
}

/** Parses the value of `--within`: durations, separated by commas. */
export function parseDurations(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((duration) => duration.trim());
}

/** Parses the value of `--time`: a number of steps, or a duration; undefined if the option is not given, 100 steps if it has no value. */
export function parseTimeHorizon(text: string | boolean | undefined): number | string | undefined {
  if (text === undefined || text === false) return undefined;
  if (text === true) return 100;
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Parses the value of an option that is a probability, such as `--delta`; undefined if it is not given. */
export function parseProbability(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const probability = Number(text);
  if (probability > 0 && probability < 1) return probability;
  throw new InvalidArgumentError(
    `${option} is "${text}"; expected a number above 0 and below 1, such as 0.05`,
  );
}

/** @throws InvalidArgumentError unless the value is a whole number, or absent */
export function parseSeed(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError(`${option} is "${text}"; expected a whole number`);
}
