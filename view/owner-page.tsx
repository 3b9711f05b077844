import type { PageLanguage } from '#domain/language/language.ts';

import { Document } from './document.tsx';

interface OwnerPageProps {
  readonly language: PageLanguage;
  readonly title: string;
  /** Before its script runs. */
  readonly html: string;
  readonly style: string;
  readonly styles?: readonly string[] | undefined;
  /** The first one loads first. */
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  /** Those that only the scripts after the first one load. */
  readonly latePreloads?: readonly string[] | undefined;
  readonly classicScript?: string | undefined;
  /** As JSON, escaped for HTML. */
  readonly settings: { readonly id: string; readonly json: string };
}

/** The on-screen keyboard makes the page smaller, so a sticky button stays above it. */
const VIEWPORT =
  'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';

/** Static HTML that the page's script replaces or completes. */
export function OwnerPage(props: OwnerPageProps) {
  const { language, title, html, style, styles = [], scripts, preloads, latePreloads = [] } = props;
  const { classicScript, settings } = props;
  const head = (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      {scripts.map((path, index) => (
        <script key={path} type="module" src={path} fetchPriority={index > 0 ? 'low' : undefined} />
      ))}
      {preloads.map((path) => (
        <link key={path} rel="modulepreload" href={path} />
      ))}
      {latePreloads.map((path) => (
        <link key={path} rel="modulepreload" href={path} fetchPriority="low" />
      ))}
      {classicScript !== undefined && <link rel="preload" as="script" href={classicScript} />}
    </>
  );
  return (
    <Document
      language={language}
      title={title}
      isIndexed={false}
      viewport={VIEWPORT}
      head={head}
      style={style}
      stylePaths={styles}
    >
      <div id="application" dangerouslySetInnerHTML={{ __html: html }} />
      <script
        type="application/json"
        id={settings.id}
        dangerouslySetInnerHTML={{ __html: settings.json }}
      />
    </Document>
  );
}
