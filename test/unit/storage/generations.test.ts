import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../bindings/base/errors.js';
import { Generations } from '../../../bindings/base/storage/index.js';
import { MemoryStorage } from './memoryStorage.js';

async function twoGenerations(): Promise<{ storage: MemoryStorage; newest: Uint8Array }> {
  const storage = new MemoryStorage();
  const file = new Generations(storage, 'kept');
  await file.write('the first, with an ä');
  await file.write('the second, with an ö');
  return { storage, newest: storage.files.get('kept.0')! };
}

describe('two generations of a text', () => {
  it('give what was written last, to whoever opens them', async () => {
    const storage = new MemoryStorage();
    expect(await new Generations(storage, 'kept').read()).toBeNull();
    for (let generation = 1; generation <= 5; generation++) {
      const content = `${'content \n'.repeat(generation)}\u{feff}${generation}`;
      await new Generations(storage, 'kept').write(content);
      expect(await new Generations(storage, 'kept').read()).toEqual({ content, generation, notes: [] });
    }
    expect([...storage.files.keys()].sort()).toEqual(['kept.0', 'kept.1']);
  });

  it('give the one before, and say so, wherever the newest was cut, altered, lengthened or lost', async () => {
    const { storage, newest } = await twoGenerations();
    const damaged: (Uint8Array | null)[] = [
      null,
      Uint8Array.of(...newest, 10),
      new Uint8Array(newest.length),
    ];
    for (let at = 0; at < newest.length; at++) {
      damaged.push(newest.slice(0, at));
      for (const flip of [1, 128]) damaged.push(newest.map((byte, i) => (i === at ? byte ^ flip : byte)));
    }
    expect(damaged.length).toBeGreaterThan(300);
    for (const bytes of damaged) {
      if (bytes === null) storage.files.delete('kept.0');
      else storage.files.set('kept.0', bytes);
      const kept = await new Generations(storage, 'kept').read();
      expect(kept).toMatchObject({ content: 'the first, with an ä', generation: 1 });
      // A first generation alone is what is there before a second was ever written.
      if (bytes === null) expect(kept!.notes).toEqual([]);
      else {
        expect(kept!.notes).toHaveLength(1);
        expect(kept!.notes[0]).toMatch(/^kept\.0 is (torn|altered).*; generation 1 is used, from kept\.1$/);
      }
    }
  });

  it('say that the other file is missing, where there must have been one', async () => {
    const { storage } = await twoGenerations();
    storage.files.delete('kept.1');
    expect((await new Generations(storage, 'kept').read())!.notes).toEqual([
      'kept.1 is missing; generation 2 is used, from kept.0',
    ]);
  });

  it('write over the damaged one, never over the only whole one', async () => {
    const { storage, newest } = await twoGenerations();
    storage.files.set('kept.0', newest.slice(0, 30));
    const whole = storage.files.get('kept.1');
    await new Generations(storage, 'kept').write('the second again');
    expect(storage.files.get('kept.1')).toBe(whole);
    expect(await new Generations(storage, 'kept').read()).toEqual({
      content: 'the second again',
      generation: 2,
      notes: [],
    });
  });

  it('are an error where nothing whole is left, or the storage cannot read', async () => {
    const { storage } = await twoGenerations();
    for (const path of storage.files.keys()) storage.files.set(path, new Uint8Array(5));
    await expect(new Generations(storage, 'kept').read()).rejects.toThrow(InvalidDataError);
    await expect(new Generations(storage, 'kept').write('x')).rejects.toThrow(
      'nothing whole is left: kept.0 is torn',
    );
    const broken = {
      // biome-ignore lint/correctness/useYield: reading fails
      async *read(): AsyncGenerator<Uint8Array> {
        throw new Error('permission denied');
      },
      write: () => Promise.resolve(),
    };
    await expect(new Generations(broken, 'kept').read()).rejects.toThrow('permission denied');
  });
});
