import { createHash } from 'node:crypto';
import {
  type AppendSink,
  createAuditLog,
  type Sha256,
} from '../../../../bindings/runtime/enforcement/audit/index.js';
import type { DecisionRecord, RunRecord } from '../../../../bindings/runtime/enforcement/index.js';

export const sha256: Sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** A decision as sessions record it. */
export function decision(run: string, number: number, more: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    kind: 'decision',
    run,
    time: 1_760_000_000_000 + number,
    number,
    call: {
      id: `call-${number}`,
      name: 'send',
      arguments: { to: 'Zoë "Z" Łuk', body: 'line\nbreak \u2028 \ud800' },
    },
    inputs: null,
    observed: {
      call: 'step',
      valuation: [number],
      known: null,
      predicate: null,
      irregular: false,
      held: 0,
      idle: false,
      action: 'send',
      pending: [],
      earlier: [],
      withheld: null,
    },
    state: 3,
    risk: 0.1 + 0.2,
    lower: 5e-324,
    upper: 0.1 + 0.2,
    rule: 'rule',
    decision: 'allow',
    reason: 'below-threshold',
    wouldDecide: 'allow',
    action: null,
    ...more,
  };
}

/** A sink in memory, which can be told to fail. */
export class MemorySink implements AppendSink {
  bytes = new Uint8Array(0);
  syncedBytes = 0;
  syncs = 0;
  closed = false;
  appendError: Error | null = null;
  syncError: Error | null = null;
  /** What a sync waits for. */
  gate: Promise<void> = Promise.resolve();

  append(bytes: Uint8Array): void {
    if (this.appendError !== null) throw this.appendError;
    this.bytes = Uint8Array.from([...this.bytes, ...bytes]);
  }

  async sync(): Promise<void> {
    const { length } = this.bytes;
    this.syncs++;
    await this.gate;
    if (this.syncError !== null) throw this.syncError;
    this.syncedBytes = length;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  get text(): string {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes);
  }

  get lines(): string[] {
    return this.text.split('\n').slice(0, -1);
  }
}

/** Bytes as files give them, cut anywhere, in memory that is used again for each chunk. */
export async function* chunksOf(content: Uint8Array | string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const chunk = Buffer.alloc(size);
  for (let from = 0; from < bytes.length; from += size) {
    const part = bytes.subarray(from, from + size);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}

/** The bytes of an audit file of these records. */
export async function auditOf(records: readonly RunRecord[]): Promise<Uint8Array> {
  const sink = new MemorySink();
  const log = createAuditLog({ sink, sha256, now: () => 1_760_000_000_000 });
  await Promise.all(records.map((record) => log.append(record)));
  await log.close();
  return sink.bytes;
}
