/** A date, or a date and time with its offset from UTC, as RFC 3339 writes them; in capitals, and without a space. */
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY = 86_400;

interface Moment {
  /** Days from 1970-01-01 to the date as it is written. */
  readonly day: number;
  /** Whole seconds of that day; null for a date alone. */
  readonly second: number | null;
  /** Digits of the part of a second. */
  readonly fraction: string;
  /** What is to be taken away for UTC, in seconds. */
  readonly offset: number;
}

/** Reads a date or a time; undefined for any other text, such as 2025-02-29, the year 0, a leap second, or a time without an offset. */
function readMoment(text: string): Moment | undefined {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const most = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  if (year === 0 || date < 1 || date > most) return undefined;
  const day = daysBefore(year, month) + date - 1;
  if (found[4] === undefined) return { day, second: null, fraction: '', offset: 0 };
  const second = Number(found[4]) * 3600 + Number(found[5]) * 60 + Number(found[6]);
  const offset = (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0)) * 60;
  return { day, second, fraction: found[7] ?? '', offset: found[8] === '-' ? -offset : offset };
}

/** Days from 1970-01-01 to the first of a month. A year begins in March here, so that a leap day ends it. */
function daysBefore(year: number, month: number): number {
  const y = month <= 2 ? year - 1 : year;
  const monthOfYear = (month + 9) % 12;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return y * 365 + leapDays + Math.floor((monthOfYear * 153 + 2) / 5) - 719_468;
}

/** Seconds from 1970-01-01T00:00:00Z to a time; of a date, to its beginning in UTC. */
export function secondsOf(text: string): number | undefined {
  const moment = readMoment(text);
  if (moment === undefined) return undefined;
  const { day, second, fraction, offset } = moment;
  return withFraction(day * DAY + (second ?? 0) - offset, fraction);
}

/** A whole number and a decimal fraction, as the double that is nearest to their sum. */
function withFraction(whole: number, digits: string): number {
  if (Number(digits) === 0) return whole;
  if (whole >= 0) return Number(`${whole}.${digits}`);
  const rest = String(10 ** digits.length - Number(digits)).padStart(digits.length, '0');
  return -Number(`${-whole - 1}.${rest}`);
}

/** The day of the week of a date or of a time in UTC, from 1, a Monday, to 7, a Sunday. With another offset the day depends on the place: undefined. */
export function weekday(text: string): number | undefined {
  const moment = readMoment(text);
  if (moment === undefined || moment.offset !== 0) return undefined;
  return ((((moment.day + 3) % 7) + 7) % 7) + 1;
}

/** The hour of a time in UTC, from 0 to 23; undefined for a time with another offset, and a date alone. */
export function hour(text: string): number | undefined {
  const moment = readMoment(text);
  if (moment === undefined || moment.second === null || moment.offset !== 0) return undefined;
  return Math.floor(moment.second / 3600);
}
