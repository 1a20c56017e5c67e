import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes who made the packages whose code is in the scripts, and under which licence, as licences ask of whoever hands code on.
 *
 * @param {string[]} packages their folders
 * @param {string} path of the file
 */
export function writeLicences(packages, path) {
  const notices = packages.toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const licence = `${folder}/LICENSE`;
    if (!existsSync(licence))
      throw new Error(
        `${name} has no file LICENSE, which the package must carry with its code: leave ${name} a dependency`,
      );
    return `${name} ${version}\n\n${readFileSync(licence, 'utf8').trim()}\n`;
  });
  writeFileSync(path, `Code of these packages is in the scripts of this folder.\n\n${notices.join('\n\n')}`);
}
