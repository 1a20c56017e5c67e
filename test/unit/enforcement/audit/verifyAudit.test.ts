import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import { Random } from '../../../../bindings/base/random.js';
import {
  type ChainFault,
  describeFault,
  entryLine,
  type VerifyAuditOptions,
  verifyAudit,
} from '../../../../bindings/runtime/enforcement/audit/index.js';
import { auditOf, chunksOf, decision, sha256 } from './records.js';

const bytes = await auditOf(Array.from({ length: 6 }, (_, i) => decision(`run-${i % 2}`, i)));
const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1);
const LINES = 7;

const verify = (content: Uint8Array | readonly string[], options: VerifyAuditOptions = {}) =>
  verifyAudit(
    chunksOf(content instanceof Uint8Array ? content : content.map((line) => `${line}\n`).join(''), 501),
    { sha256, ...options },
  );

/** Where the first fault is. */
async function faultOf(
  content: Uint8Array | readonly string[],
  options?: VerifyAuditOptions,
): Promise<ChainFault> {
  const { fault, head } = await verify(content, options);
  if (fault === null) throw new Error('no fault is found');
  expect(head.count).toBe(fault.kind === 'other-head' ? fault.line : fault.line - 1);
  return fault;
}

describe('verifying an audit file', () => {
  it('finds nothing where it is as it was written, in chunks of any size', async () => {
    const hash = lines[LINES - 1].slice(9, 73);
    for (const size of [1, 100, 1 << 20])
      expect(await verifyAudit(chunksOf(bytes, size))).toEqual({ head: { count: LINES, hash }, fault: null });
  });

  it('finds the line of any altered byte', async () => {
    const random = new Random(3);
    let line = 1;
    for (let at = 0; at < bytes.length; at++) {
      const altered = bytes.slice();
      // Another byte each time; digits and letters become others of their kind half the time.
      altered[at] ^= random.next() < 0.5 ? 1 : 1 + Math.floor(random.next() * 255);
      const fault = await faultOf(altered);
      expect([fault.line, ['altered', 'torn'].includes(fault.kind)], `byte ${at}`).toEqual([line, true]);
      if (bytes[at] === 10) line++;
    }
    expect(line).toBe(LINES + 1);
  });

  it('finds a change that leaves the meaning of the JSON the same', async () => {
    for (const [what, by] of [
      ['"send"', ' "send"'],
      ['5e-324', '5E-324'],
      ['0.30000000000000004', '0.300000000000000041'],
      ['Zoë', 'Zo\\u00eb'],
    ]) {
      const altered = lines.map((line, i) => (i === 3 ? line.replace(what, by) : line));
      expect(altered[3]).not.toBe(lines[3]);
      expect(await faultOf(altered)).toMatchObject({ line: 4, kind: 'altered' });
    }
    const upper = lines.map((line, i) =>
      i === 2 ? line.slice(0, 9) + line.slice(9, 73).toUpperCase() + line.slice(73) : line,
    );
    expect(await faultOf(upper)).toMatchObject({ line: 3, kind: 'altered' });
  });

  it('finds lines that are missing, but for the last ones', async () => {
    for (let i = 0; i < LINES - 1; i++) {
      const fault = await faultOf(lines.toSpliced(i, 1));
      expect(fault).toMatchObject({
        line: i + 1,
        kind: 'out-of-place',
        expected: `sequence ${i}`,
        found: `sequence ${i + 1}`,
      });
    }
    expect((await verify(lines.slice(0, -1))).fault).toBeNull();
  });

  it('finds lines that were swapped, and lines that are there twice', async () => {
    for (let i = 0; i < LINES; i++) {
      for (let j = i + 1; j < LINES; j++)
        expect((await faultOf(lines.with(i, lines[j]).with(j, lines[i]))).line).toBe(i + 1);
      expect(await faultOf(lines.toSpliced(i, 0, lines[i]))).toMatchObject({
        line: i + 2,
        kind: 'out-of-place',
      });
    }
  });

  it('finds empty lines, foreign ones, a byte order mark and an empty file', async () => {
    expect(await faultOf(lines.toSpliced(2, 0, ''))).toMatchObject({
      line: 3,
      kind: 'altered',
      found: 'nothing',
    });
    expect((await faultOf(lines.toSpliced(2, 0, '{"a":1}'))).line).toBe(3);
    expect((await faultOf(lines.with(0, `\ufeff${lines[0]}`))).line).toBe(1);
    expect(await faultOf([])).toMatchObject({ line: 1, kind: 'missing' });
    const other = entryLine({ count: 0, hash: '0'.repeat(64) }, decision('a', 0), sha256).line.trimEnd();
    expect(await faultOf([other])).toMatchObject({ line: 1, expected: /the header/ });
  });

  it('finds a line that was replaced, with its hash computed anew, at the line behind it', async () => {
    const head = { count: 3, hash: lines[2].slice(9, 73) };
    const forged = entryLine(head, decision('run-0', 2, { decision: 'stop' }), sha256).line.trimEnd();
    const fault = await faultOf(lines.with(3, forged));
    expect(fault).toMatchObject({ line: 5, kind: 'broken-chain' });
    expect(describeFault(fault)).toMatch(
      /line 5 was not written after the line before it: that one was replaced/,
    );
  });

  it('says where the file ends in the middle of a line', async () => {
    const fault = await faultOf(bytes.subarray(0, bytes.length - 20));
    expect(fault).toMatchObject({ line: LINES, kind: 'torn' });
  });

  it('finds a missing end against a head kept elsewhere, whatever has come since', async () => {
    const anchor = (i: number) => ({ count: i + 1, hash: lines[i].slice(9, 73) });
    for (let i = 0; i < LINES; i++) expect((await verify(lines, anchor(i))).fault).toBeNull();
    expect(await faultOf(lines.slice(0, 4), anchor(5))).toMatchObject({
      line: 5,
      kind: 'missing',
      expected: '6 lines or more',
      found: '4',
    });
    expect(await faultOf(lines.slice(0, 4), { count: 6 })).toMatchObject({ kind: 'missing' });
    expect(await faultOf(lines.slice(0, 4), { hash: anchor(5).hash })).toMatchObject({
      kind: 'other-head',
      line: 4,
    });
    expect((await verify(lines, { hash: anchor(LINES - 1).hash })).fault).toBeNull();
    expect(await faultOf(lines, { ...anchor(2), count: 4 })).toMatchObject({ kind: 'other-head', line: 4 });
  });

  it('tells how far it is, and stops where it is told to', async () => {
    const seen: number[] = [];
    await verify(lines, { onProgress: ({ count }) => seen.push(count) });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await expect(verify(lines, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  it('refuses a head that is none', async () => {
    await expect(verify(lines, { hash: 'abc' })).rejects.toThrow(InvalidArgumentError);
    await expect(verify(lines, { count: 0 })).rejects.toThrow(/the count is 0/);
  });
});
