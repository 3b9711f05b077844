import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { SharpOptions } from 'sharp';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

import { JobProcesses } from './job-process.ts';
import workerCode from './render-worker.js?raw';

const { resolve } = createRequire(import.meta.url);

const WAITING_MAX = 15;
const TIMEOUT_MS = 15 * SECOND_MS;

export interface RenderInput {
  readonly input?: Uint8Array;
  readonly options?: SharpOptions;
  readonly layers?: readonly { input: Uint8Array; left: number; top: number }[];
  /** From 1 to 100. Without a quality the image is a PNG. */
  readonly jpegQuality?: number;
}

export interface RenderedImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type RenderImage = (input: RenderInput) => Promise<RenderedImage>;

/** Renders pictures one after the other, outside of the server's process. */
export interface Renderer {
  render<Result>(picture: (renderImage: RenderImage) => Promise<Result>): Promise<Result>;
  close(): void;
}

export function createRenderer(timeoutMs = TIMEOUT_MS): Renderer {
  const fonts = new FontConfiguration();
  const processes = new JobProcesses<RenderedImage>({
    command: () => [
      ['-e', workerCode],
      {
        FONTCONFIG_FILE: fonts.write(),
        PANGOCAIRO_BACKEND: 'fontconfig',
        SHARP_PATH: resolve('sharp'),
      },
    ],
    runningMax: 1,
    waitingMax: WAITING_MAX,
    timeoutMs,
    // Many changed cards may follow each other.
    keptForMs: MINUTE_MS,
    messages: {
      full: 'Many pictures are being drawn now.',
      failed: 'The picture could not be drawn now.',
    },
  });
  return {
    render: (picture) =>
      processes.run((send) =>
        picture(async (input) => {
          const reply = await send(input);
          return { ...reply, data: Buffer.from(reply.data) };
        }),
      ),
    close: () => void processes.close().then(() => fonts.remove()),
  };
}

const FAMILY = '@expo-google-fonts/noto-sans';
/** The first font has Latin, Greek, Cyrillic and Devanagari. The others have the other scripts of India. */
const PACKAGES = [
  FAMILY,
  ...'bengali gurmukhi gujarati oriya tamil telugu kannada malayalam arabic ol-chiki meetei-mayek'
    .split(' ')
    .map((script) => `${FAMILY}-${script}`),
];
const WEIGHTS = ['400Regular', '600SemiBold'];

/** Writes a fontconfig file that names the fonts of our packages and no others. */
class FontConfiguration {
  #folder = '';

  /** The caller writes it before each process starts, because systems delete old temporary files. */
  write(): string {
    this.#folder ||= mkdtempSync(join(tmpdir(), 'tessera-fonts-'));
    const path = join(this.#folder, 'fonts.conf');
    if (existsSync(path)) return path;
    mkdirSync(this.#folder, { recursive: true });
    // A full disk would leave half a file.
    writeFileSync(`${path}.part`, configuration(join(this.#folder, 'cache')));
    renameSync(`${path}.part`, path);
    return path;
  }

  remove(): void {
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true });
  }
}

function configuration(cache: string): string {
  const folders = PACKAGES.flatMap((name) => {
    const root = dirname(resolve(`${name}/package.json`));
    return WEIGHTS.map((weight) => join(root, weight));
  });
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `<dir>${escapeXml(path)}</dir>`),
    `<cachedir>${escapeXml(cache)}</cachedir>`,
    // Latin letters look the same inside texts of other scripts.
    '<match target="pattern"><edit name="family" mode="append"><string>Noto Sans</string></edit></match>',
    '</fontconfig>',
  ].join('\n');
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
