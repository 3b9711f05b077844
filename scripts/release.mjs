// npm run release writes the archives of a release into release/, from a clean checkout. The same commit gives
// the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ROOT, fail, install, installInto, run } from './ready.mjs';
import { VERSION_FILE, readVersion, releaseCommit } from './version.mjs';

const RELEASE = join(ROOT, 'release');
const STAGE = join(ROOT, '.cache', 'release');
const ARCHITECTURES = ['x64', 'arm64'];
/** An archive needs these for the command `tessera`, and has the documents and all that they link. */
const PROJECT_FILES = [
  '.env.example',
  'package.json',
  'dist',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
];
const SCRIPTS = ['command.mjs', 'demo-service.mjs', 'ready.mjs', 'tessera.sh'];
/** These files build the sources, which an archive lacks. */
const CONTAINER_FILE = /^(Dockerfile|compose\.|example\.env|garage\.|update\.|version\.)/;
const isForArchive = (path) => !CONTAINER_FILE.test(basename(path));
/** The pictures use these weights of each font (server/adapter/image/renderer.ts). */
const FONT_WEIGHTS = new Set(['400Regular', '600SemiBold']);
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

const output = (program, ...args) =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 }).trim();
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function stage(folder, { arch, version }) {
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  for (const name of PROJECT_FILES)
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of SCRIPTS) cpSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true, filter: isForArchive });
  cpSync(join(ROOT, 'scripts', 'tessera.sh'), join(folder, 'tessera'));
  writeFileSync(join(folder, VERSION_FILE), `${version}\n`);
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  installInto(folder, ['--include=prod', '--omit=dev', '--ignore-scripts', ...platform]);
  rmSync(join(folder, '.npmrc'), { force: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(version), null, 2));
  removeOtherPlatforms(join(folder, 'node_modules'), arch);
  const installed = join(folder, 'node_modules', '.package-lock.json');
  const licenses = collectLicenses(folder, Object.keys(readJson(installed).packages));
  const sbom = createSbom(folder);
  rmSync(join(folder, 'package-lock.json'));
  rmSync(installed);
  return { sbom, licenses };
}

/** Returns package.json without the scripts that need the sources. */
function manifestOf(version) {
  const {
    devDependencies: _,
    scripts,
    imports: _imports,
    ...manifest
  } = readJson(join(ROOT, 'package.json'));
  const kept = Object.entries(scripts).filter(([, text]) => text.includes('scripts/command.mjs'));
  // The command refuses to keep data in the folder of the program.
  const start = './tessera start';
  return { ...manifest, version, scripts: { start, ...Object.fromEntries(kept) } };
}

/** Removes files for other platforms, which npm installs too, and weights of fonts that no picture uses. */
function removeOtherPlatforms(packages, arch) {
  const prebuilds = join(packages, '@photostructure', 'sqlite', 'prebuilds');
  removeOthers(prebuilds, (name) => name === `linux-${arch}`);
  const fonts = join(packages, '@expo-google-fonts');
  for (const name of readdirSync(fonts)) {
    const isKept = (file) => FONT_WEIGHTS.has(file) || !/^\d{3}/.test(file);
    removeOthers(join(fonts, name), isKept);
  }
}

function removeOthers(folder, isKept) {
  const names = readdirSync(folder);
  if (!names.some(isKept)) fail(`${folder} has nothing for this platform.`);
  for (const name of names) {
    if (!isKept(name)) rmSync(join(folder, name), { recursive: true });
  }
}

/** Returns the bill of materials (CycloneDX). The caller replaces its number and time, which change each run. */
function createSbom(folder) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--loglevel=silent'];
  const text = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
  return JSON.parse(text);
}

function collectLicenses(folder, paths) {
  return paths
    .toSorted()
    .map((path) => {
      const location = join(folder, path);
      const { name, version, license } = readJson(join(location, 'package.json'));
      const texts = readdirSync(location)
        .filter((file) => LICENSE_FILE.test(file))
        .toSorted()
        .map((file) => readFileSync(join(location, file), 'utf8').trim());
      return [`# ${name} ${version}: ${license}`, ...texts].join('\n\n');
    })
    .join('\n\n\n')
    .concat('\n');
}

/** Packs a folder so that the order, owner, times and modes of its files are always the same. */
function pack(folder, archive, commitTime) {
  const tar = archive.slice(0, -'.gz'.length);
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const modes = ['--mode=u+rw,go+r,go-w,a+X,a-s', `--mtime=@${commitTime}`];
  const parent = join(folder, '..');
  output('tar', ...fixed, ...modes, '-C', parent, '-cf', tar, basename(folder));
  output('gzip', '--no-name', '--best', '--force', tar);
}

/** Makes a UUID of a SHA-256 (RFC 9562, version 8). */
function uuidOf(hash) {
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

if (output('git', 'status', '--porcelain') !== '')
  fail('A release is made from a clean checkout. Commit or remove your changes first.');
const version = readVersion(ROOT);
const { version: named } = readJson(join(ROOT, 'package.json'));
const released = releaseCommit(ROOT, named);
if (output('git', 'log', '-1', '--format=%s') === `Release ${named}` && version !== named)
  fail(
    `Version ${named} is released already, as commit ${released}. Raise the version in package.json and name the commit after it.`,
  );
const commitTime = Number(output('git', 'log', '-1', '--format=%ct'));
install();
if (!run(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))]))
  fail('The build failed.');
rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(RELEASE);
for (const arch of ARCHITECTURES) {
  const name = `tessera-${version}-linux-${arch}`;
  rmSync(STAGE, { recursive: true, force: true });
  const folder = join(STAGE, name);
  const { sbom, licenses } = stage(folder, { arch, version });
  writeFileSync(join(folder, 'licenses.txt'), licenses);
  const archive = join(RELEASE, `${name}.tar.gz`);
  pack(folder, archive, commitTime);
  sbom.serialNumber = `urn:uuid:${uuidOf(hashOf(archive))}`;
  sbom.metadata.timestamp = new Date(commitTime * 1000).toISOString();
  Object.assign(sbom.metadata.component, { name: 'tessera', version, type: 'application' });
  writeFileSync(join(RELEASE, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(RELEASE, `${name}.licenses.txt`), licenses);
}
rmSync(STAGE, { recursive: true });
const names = readdirSync(RELEASE).toSorted();
const sums = names.map((name) => `${hashOf(join(RELEASE, name))}  ${name}\n`).join('');
writeFileSync(join(RELEASE, 'SHA256SUMS'), sums);
process.stdout.write(sums);
