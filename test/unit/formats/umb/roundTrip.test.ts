import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeguardError } from '../../../../bindings/base/errors.js';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import type { Model } from '../../../../bindings/solvers/model/index.js';
import { arbitraryDtmc } from '../arbitraryDtmc.js';
import { arbitraryModel } from '../arbitraryModel.js';

/** What a file keeps; that no state is initial is worth a warning to a reader. */
function kept({ warnings, ...model }: Model): Omit<Model, 'warnings'> {
  expect(warnings ?? []).toEqual(model.initial.length === 0 ? ['no state is initial'] : []);
  return model;
}

describe('writeUmb and readUmb', () => {
  it('give back any chain, plain and compressed', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDtmc(), fc.boolean(), async (model, gzip) => {
        expect(kept(await readUmb(await writeUmb(model, { gzip }), { source: 'x.umb' }))).toEqual(model);
      }),
      { numRuns: 150 },
    );
  });

  it('give back any MDP, interval chain and interval MDP', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel(), async (model) => {
        expect(await readUmb(await writeUmb(model), { source: 'x.umb' })).toEqual(model);
      }),
      { numRuns: 150 },
    );
  });

  it('write the same bytes for the same model, also after it was read back', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDtmc(), async (model) => {
        const bytes = await writeUmb(model);
        const again = await writeUmb(await readUmb(bytes, { source: 'x.umb' }));
        expect(Buffer.compare(again, bytes)).toBe(0);
      }),
    );
  });

  it('throw nothing but their own errors on damaged bytes', async () => {
    const damage = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(arbitraryDtmc(), arbitraryModel()),
        damage,
        fc.boolean(),
        async (model, flips, gzip) => {
          const bytes = await writeUmb(model, { gzip });
          for (const [place, value] of flips) bytes[Math.floor(place * bytes.length)] = value;
          try {
            await readUmb(bytes, { source: 'x.umb' });
          } catch (error) {
            expect(error).toBeInstanceOf(ForeguardError);
            refused++;
          }
        },
      ),
      { numRuns: 250 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('throw nothing but their own errors on files that end early', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryDtmc(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        async (model, share, gzip) => {
          const bytes = await writeUmb(model, { gzip });
          const end = Math.floor(share * (bytes.length - (gzip ? 1 : 1025)));
          await expect(readUmb(bytes.subarray(0, end), { source: 'x.umb' })).rejects.toBeInstanceOf(
            ForeguardError,
          );
        },
      ),
    );
  });
});
