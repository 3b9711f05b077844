import type { ReactNode } from 'react';

interface DocumentProps {
  readonly title: string;
  readonly description?: string;
  /** Whether search engines may keep it. */
  readonly isIndexed: boolean;
  /** More for the head, after the title and before the style. */
  readonly head?: ReactNode;
  /** The style sheet and the script, put inline; the page's policy knows their hashes. */
  readonly style: string;
  readonly script?: string;
  readonly children: ReactNode;
}

/** The paper in both schemes, for the bars around the page. As in tokens.css. */
const THEME_COLOUR = { light: '#fbfaf7', dark: '#131418' } as const;

/** A whole HTML page, drawn by the server. */
export function Document(props: DocumentProps) {
  const { title, description, isIndexed, head, style, script, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{title}</title>
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
      </head>
      <body>
        {children}
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}
