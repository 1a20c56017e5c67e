import { InvalidArgumentError } from '../../base/errors.js';
import { isGlob } from '../../languages/expression/index.js';
import { endsWith, isLikeGlob, isOneOf, Language } from '../../languages/regular/index.js';
import { languageOfAddressesAt, languageOfDomains } from './formats.js';

/**
 * The readers that a pattern means: `*@company.com`, all addresses of a domain, `*@*.company.com`, those of the domains below it, one name, or a pattern of
 * `glob`. Addresses are those that `domainOf` reads: no text in which a mail program may see two.
 *
 * @throws InvalidArgumentError if it means none
 */
export function readerGroup(pattern: string): Language {
  const domain = /^\*@(\*\.)?([^*?@]+)$/.exec(pattern);
  if (domain !== null) {
    const [, below, name] = domain;
    const lowered = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (!languageOfDomains().has(lowered))
      throw new InvalidArgumentError(
        `found the readers "${pattern}", and "${name}" is no domain; expected a name such as company.com`,
      );
    return languageOfAddressesAt(below === undefined ? isOneOf([lowered]) : endsWith(`.${lowered}`));
  }
  if (!/[*?]/.test(pattern)) return Language.of(pattern);
  if (!isGlob(pattern))
    throw new InvalidArgumentError(
      `found the readers "${pattern}"; expected an address, *@DOMAIN, or a pattern with * and ? alone`,
    );
  const found = Language.where(isLikeGlob(pattern));
  if (!pattern.includes('@')) return found;
  // Two addresses in one text would be readers whom the pattern does not mean.
  const addresses = found.intersection(languageOfAddressesAt(isOneOfAll));
  if (addresses.isEmpty)
    throw new InvalidArgumentError(
      `found the readers "${pattern}", which no address fits; expected a pattern such as *@company.com`,
    );
  return addresses;
}

const isOneOfAll = endsWith('');
