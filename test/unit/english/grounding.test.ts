import { describe, expect, it } from 'vitest';
import { createGrounder } from '../../../bindings/languages/english/grounding/index.js';
import { likeness, wordsOf } from '../../../bindings/languages/english/grounding/wordLikeness.js';

const places = {
  'Native American Trading Company': { about: { shop: 'art', street: 'Bannock Street' } },
  'Denver Art Museum': { about: { tourism: 'museum', street: 'West 14th Avenue' } },
  'Café Métro': { about: { amenity: 'cafe' } },
  'Bryant Park': { about: { leisure: 'park' } },
  'Bryant Park toilets': { about: { amenity: 'toilets' } },
  'Broadway NB': { about: { highway: 'bus stop' } },
  'Broadway SB': { about: { highway: 'bus stop' } },
};
const { ground, groundWith } = createGrounder(places);

describe('createGrounder', () => {
  it.each([
    ['the art shop on Bannock Street', 'Native American Trading Company'],
    ['Denver Art Museum', 'Denver Art Museum'],
    ['cafe metro', 'Café Métro'],
    ['the Cafe Metros', 'Café Métro'],
    ['the Denvr art musuem', 'Denver Art Museum'],
  ])('finds what "%s" refers to', (expression, name) => {
    expect(ground(expression)).toMatchObject({ kind: 'one', name });
  });

  it.each([
    ['the bus stop on Broadway', ['Broadway NB', 'Broadway SB']],
    ['Bryant Park', ['Bryant Park', 'Bryant Park toilets']],
  ])('asks about "%s"', (expression, names) => {
    const found = ground(expression);
    expect(found.kind).toBe('ask');
    expect(found.candidates.slice(0, 2).map(({ name }) => name)).toEqual(names);
  });

  it('knows nothing of other words', () => {
    expect(ground('the harbour')).toEqual({ kind: 'none', candidates: [] });
  });

  it('takes the words of predicates', () => {
    const predicates = {
      inKitchen: { say: 'the robot is in the kitchen' },
      stoveOn: { also: ['the oven burns'] },
    };
    const grounder = createGrounder(predicates);
    expect(grounder.ground('kitchen')).toMatchObject({ kind: 'one', name: 'inKitchen' });
    expect(grounder.ground('the burning oven')).toMatchObject({ kind: 'one', name: 'stoveOn' });
    expect(grounder.ground('stove on')).toMatchObject({ kind: 'one', name: 'stoveOn' });
  });

  it('orders by vectors where the words leave a question, and only there', async () => {
    const asked: (readonly string[])[] = [];
    const embed = async (texts: readonly string[]): Promise<number[][]> => {
      asked.push(texts);
      return texts.map((text) => (text.includes('SB') || text.includes('south') ? [0, 1] : [1, 0]));
    };
    expect(await groundWith('the bus stop on Broadway to the south', embed, 0.5)).toMatchObject({
      kind: 'one',
      name: 'Broadway SB',
    });
    expect(asked[0][0]).toBe('the bus stop on Broadway to the south');
    expect(asked[0]).toContain('Broadway SB, highway bus stop');
    expect((await groundWith('the bus stop on Broadway', embed, 1.5)).kind).toBe('ask');
    expect(await groundWith('Denver Art Museum', embed, 0.5)).toMatchObject({ kind: 'one' });
    expect(asked.length).toBe(2);
    await expect(groundWith('the bus stop on Broadway', async () => [[1]], 0.5)).rejects.toThrow(
      'one vector a text',
    );
    await expect(
      groundWith('the bus stop on Broadway', async (texts) => texts.map((_, i) => Array(i + 1).fill(1)), 0.5),
    ).rejects.toThrow('all of one length');
  });

  it('refuses to work without things or with what is no text', () => {
    expect(() => createGrounder({})).toThrow('no things');
    expect(() => ground(null as never)).toThrow('expected text');
    expect(ground('').kind).toBe('none');
  });
});

describe('words', () => {
  it('are compared without accents, apostrophes and plurals', () => {
    expect(wordsOf("Robek's  Cafés, 42nd cities")).toEqual(['robek', 'cafe', '42nd', 'city']);
  });

  it('are alike by common letters or a common start, symmetrically', () => {
    const words = ['museum', 'musuem', 'book', 'bookstore', 'bar', 'bat', 'indonesia', 'indonesian'];
    for (const one of words)
      for (const other of words) expect(likeness(one, other)).toBe(likeness(other, one));
    expect(likeness('bar', 'bat')).toBe(0);
    expect(likeness('book', 'bookstore')).toBeGreaterThan(0.5);
    expect(likeness('indonesia', 'indonesian')).toBeGreaterThan(likeness('museum', 'musuem'));
  });
});
