import type { ReactNode } from 'react';

import type { Catalogue } from '#domain/language/catalogue.ts';
import { ONLY_ENGLISH, keepUrlLanguage } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';

import { fillElements, pageDirection } from './language.tsx';

interface DocumentProps {
  readonly language?: PageLanguage;
  /** The frame of a card has no title. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly isIndexed: boolean;
  readonly viewport?: string;
  readonly head?: ReactNode;
  /** Style and script are inline. The page's Content-Security-Policy contains their hashes. */
  readonly style: string;
  readonly printStylePath?: string;
  readonly script?: string;
  readonly children?: ReactNode;
}

/** The values of --paper in tokens.css. */
const THEME_COLOUR = { light: '#fbfaf7', dark: '#131418' } as const;

const VIEWPORT = 'width=device-width,initial-scale=1';

export function Document(props: DocumentProps) {
  const { language = ONLY_ENGLISH, title, description, isIndexed, viewport = VIEWPORT } = props;
  const { head, style, printStylePath, script, children } = props;
  return (
    <html lang={language.language} dir={pageDirection(language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content={viewport} />
        {title !== undefined && <title>{title}</title>}
        {description !== undefined && <meta name="description" content={description} />}
        {!isIndexed && <meta name="robots" content="noindex" />}
        {head}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          content={THEME_COLOUR.light}
          media="(prefers-color-scheme:light)"
        />
        <meta name="theme-color" content={THEME_COLOUR.dark} media="(prefers-color-scheme:dark)" />
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {printStylePath !== undefined && (
          <link rel="stylesheet" media="print" href={printStylePath} />
        )}
        {/* A module runs once the whole page has arrived. */}
        {script !== undefined && (
          <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
        )}
      </head>
      <body>{children}</body>
    </html>
  );
}

const LOGO_SIDE_PX = 28;

export function Wordmark({ productName }: { readonly productName: string }) {
  return (
    <span className="wordmark">
      <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
      {productName}
    </span>
  );
}

interface PageFooterProps {
  readonly language: PageLanguage;
  readonly texts: Catalogue['page'];
  readonly productName: string;
  readonly appUrl: string;
  readonly children?: ReactNode;
}

/** The footer ends the page. Its last element marks that the page has arrived in full (view/page.css). */
export function PageFooter({ language, texts, productName, appUrl, children }: PageFooterProps) {
  return (
    <footer className="page-column page-footer">
      <a className="button" href={keepUrlLanguage(appUrl, language)}>
        {fillElements(texts.createCard, { product: productName })}
      </a>
      {children}
      <i id="foot" />
    </footer>
  );
}
