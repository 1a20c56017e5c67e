import { describe, expect, it } from 'vitest';
import { createLexicon } from '../../../bindings/languages/english/index.js';

describe('a lexicon', () => {
  it.each([
    ['stoveOn', 'the stove is on', 'the stove is not on'],
    ['in_kitchen', 'the agent is in the kitchen', 'the agent is not in the kitchen'],
    ['HTTPServer2-ready', 'the http server 2 is ready', 'the http server 2 is not ready'],
    ['overspeed', '`overspeed` holds', '`overspeed` does not hold'],
    ['a`b', '`a\\u0060b` holds', '`a\\u0060b` does not hold'],
  ])('makes words of the name %s', (name, holds, not) => {
    expect(createLexicon().phrasesOf(name)).toEqual({ holds, not, also: [] });
  });

  it.each([
    ['the payment was approved', 'the payment was not approved'],
    ['the user has confirmed', 'the user has not confirmed'],
    // "The user has not a key" is no plain English, and "all doors are not closed" says something else.
    ['the user has a key', 'it is false that the user has a key'],
    ['all doors are closed', 'it is false that all doors are closed'],
    ['the door that is red is open', 'it is false that the door that is red is open'],
    ['the lamp is not lit', 'it is false that the lamp is not lit'],
    ['water flows', 'it is false that water flows'],
  ])('says the opposite of "%s"', (say, not) => {
    expect(createLexicon({ p: { say } }).phrasesOf('p').not).toBe(not);
  });

  it('takes back what it makes of names, as readers and questions give it', () => {
    for (const name of ['overspeed', 'a`b', 'stoveOn']) {
      const { holds, not } = createLexicon().phrasesOf(name);
      expect(createLexicon({ [name]: { say: holds, not } }).phrasesOf(name)).toEqual({
        holds,
        not,
        also: [],
      });
    }
    expect(() => createLexicon({ other: { say: '`overspeed` holds' } })).toThrow('a backtick');
  });

  it('keeps the words that were given, and names the subject', () => {
    const lexicon = createLexicon(
      { stoveOn: { say: 'the stove burns', not: 'the stove is off', also: ['it burns'] }, inKitchen: {} },
      { subject: 'the robot' },
    );
    expect(lexicon.phrasesOf('stoveOn')).toEqual({
      holds: 'the stove burns',
      not: 'the stove is off',
      also: ['it burns'],
    });
    expect(lexicon.phrasesOf('inKitchen').holds).toBe('the robot is in the kitchen');
  });

  it('says a predicate by its name where other predicates have the words that the name makes', () => {
    const lexicon = createLexicon({
      stoveOn: {},
      stove_on: {},
      burning: { say: 'the lamp is on' },
      lampOn: {},
    });
    expect(lexicon.phrasesOf('stoveOn').holds).toBe('`stoveOn` holds');
    expect(lexicon.phrasesOf('stove_on').holds).toBe('`stove_on` holds');
    expect(lexicon.phrasesOf('lampOn').holds).toBe('`lampOn` holds');
    // A name that nobody declared too.
    expect(lexicon.phrasesOf('lamp-on').holds).toBe('`lamp-on` holds');
  });

  it.each([
    [
      { p: { say: '' } },
      'predicate p is said as "", but it is empty or begins or ends with a space; write words such as "the stove is on"',
    ],
    [
      { p: { say: 'it (maybe) is' } },
      'predicate p is said as "it (maybe) is", but it has a parenthesis, a backtick or a line break; write words such as "the stove is on"',
    ],
    [
      { p: { say: 'it is\nhot' } },
      'predicate p is said as "it is\\nhot", but it has a parenthesis, a backtick or a line break; write words such as "the stove is on"',
    ],
    [
      { p: { say: 'it is hot.' } },
      'predicate p is said as "it is hot.", but it ends like a sentence of its own; write words such as "the stove is on"',
    ],
    [
      { p: { say: 'it is hot', not: 'It is hot' } },
      'predicate p: "it is hot" says that it holds and that it does not; write another `not`',
    ],
    [
      { p: { say: 'it is hot' }, q: { say: 'It is hot' } },
      'predicates p and q are both said as "It is hot"; give one of them another sentence',
    ],
    [
      { p: { say: 'it is on' }, q: { say: 'it is off', not: 'it is on' } },
      'predicates p and q are both said as "it is on"; give one of them another sentence',
    ],
    [
      { p: { say: 'it is on', also: ['it is off'] }, q: { say: 'it is off' } },
      'predicates p and q are both said as "it is off"; give one of them another sentence',
    ],
  ])('refuses %j', (words, message) => {
    expect(() => createLexicon(words)).toThrow(message);
  });
});
