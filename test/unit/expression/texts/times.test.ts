import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, UNREADABLE } from './read.js';

const valueBy = (name: string, text: string): unknown => read(`${name}(text)`, { text });

describe('timeOf, weekdayOf and hourOf', () => {
  it('give what Date gives, of any time from year 1 to 9999 and with any offset', () => {
    const [least, most] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    const offset = fc.constantFrom('Z', '+00:00', '-00:00', '+02:00', '-09:30', '+23:59');
    fc.assert(
      fc.property(fc.integer({ min: least, max: most }), offset, (milliseconds, zone) => {
        const written = new Date(milliseconds).toISOString().replace('Z', zone);
        const instant = new Date(written);
        expect(valueBy('timeOf', written)).toBe(instant.getTime() / 1000);
        const isUtc = ['Z', '+00:00', '-00:00'].includes(zone);
        const day = ((instant.getUTCDay() + 6) % 7) + 1;
        expect(valueBy('weekdayOf', written)).toBe(isUtc ? day : UNREADABLE);
        expect(valueBy('hourOf', written)).toBe(isUtc ? instant.getUTCHours() : UNREADABLE);
        const date = new Date(milliseconds).toISOString().slice(0, 10);
        expect(valueBy('timeOf', date)).toBe(Date.parse(date) / 1000);
        expect(valueBy('weekdayOf', date)).toBe(((new Date(date).getUTCDay() + 6) % 7) + 1);
        expect(valueBy('hourOf', date)).toBe(UNREADABLE);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '',
    '2025-6-30',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-00-10',
    '2025-13-01',
    '2025-01-00',
    '0000-01-01',
    '12025-01-01',
    '2025-06-30T08:15:00',
    '2025-06-30 08:15:00Z',
    '2025-06-30t08:15:00z',
    '2025-06-30T24:00:00Z',
    '2025-06-30T08:60:00Z',
    '2016-12-31T23:59:60Z',
    '2025-06-30T08:15Z',
    '2025-06-30T08:15:00.Z',
    '2025-06-30T08:15:00+2:00',
    '2025-06-30T08:15:00+24:00',
    '2025-06-30T08:15:00Z\n',
    ' 2025-06-30',
    '٢٠٢٥-06-30',
    '30.06.2025',
  ])('has no value of %j', (text) => {
    for (const name of ['timeOf', 'weekdayOf', 'hourOf']) expect(valueBy(name, text)).toBe(UNREADABLE);
  });

  it('reads leap days, and fractions of a second', () => {
    expect(valueBy('timeOf', '2000-02-29')).toBe(Date.UTC(2000, 1, 29) / 1000);
    expect(valueBy('timeOf', '1970-01-01T00:00:01.5Z')).toBe(1.5);
    expect(valueBy('timeOf', '1969-12-31T23:59:59.25Z')).toBe(-0.75);
  });
});
