import type { ReactNode } from 'react';

import { ONLY_ENGLISH } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';

import { Document } from './document.tsx';

/** The on-screen keyboard makes the page smaller, so a sticky button stays above it. */
const VIEWPORT =
  'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';

/** What a page with a login provider's widget gets from the server. */
export interface WidgetPageProps {
  readonly language?: PageLanguage;
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** The provider's script, which the page's script loads. */
  readonly widgetScript: string | undefined;
  /** The JSON is escaped for HTML. */
  readonly settings: { readonly id: string; readonly json: string };
  readonly children: ReactNode;
}

/** Complete without its script, which starts the widget. */
export function WidgetPage(props: WidgetPageProps) {
  const { language = ONLY_ENGLISH, title, style, script, widgetScript } = props;
  const { settings, children } = props;
  const head = (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      <script type="module" src={script} />
      {widgetScript !== undefined && <link rel="preload" as="script" href={widgetScript} />}
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
    >
      {children}
      <script
        type="application/json"
        id={settings.id}
        dangerouslySetInnerHTML={{ __html: settings.json }}
      />
    </Document>
  );
}

/** docs/product.md#account. */
export function VerifyPage(props: Omit<WidgetPageProps, 'children'>) {
  return (
    <WidgetPage {...props}>
      <main className="account-verify">
        <div className="account-dialog">
          <h1 className="visually-hidden">Account and data</h1>
          <output className="visually-hidden">Your account is loading</output>
          <WidgetSkeleton />
        </div>
      </main>
    </WidgetPage>
  );
}

/** The script of the page replaces it by the same blocks (WIDGET_BLOCKS in web/shared/otp/widget.ts). */
export function WidgetSkeleton() {
  return (
    <div className="widget">
      <div className="widget-skeleton">
        {['label', 'input', 'button'].map((block) => (
          <span key={block} className={`skeleton widget-${block}`} aria-hidden="true" />
        ))}
      </div>
    </div>
  );
}
