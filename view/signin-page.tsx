import type { ComponentProps } from 'react';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import { SIGNIN } from '#domain/language/en.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';

import { Card } from './card.tsx';
import { CardTexts, LanguageLinks, fillElements } from './language.tsx';
import { Mosaic } from './mosaic.tsx';
import { PolicyLinks } from './policy-links.tsx';
import sampleFace from './sample-face.svg?inline';
import { Document, Wordmark } from './document.tsx';

export const SAMPLE_PROFILE: Profile = {
  _id: 'MeeraTesseraCard',
  ...SIGNIN.sample,
  phone: '+91 98765 43210',
  email: 'meera@courtyard.in',
  profilePhoto: sampleFace,
  socialMediaHandles: {
    Web: 'https://example.com',
    Whatsapp: '9876543210',
    Instagram: 'https://example.com',
    LinkedIn: 'https://example.com',
  },
};

interface SigninPageProps extends Omit<WidgetPageProps, 'title' | 'children'> {
  readonly language: PageLanguage;
  readonly productName: string;
  /** Whom to ask for an invitation; null if nobody needs one. */
  readonly invitedBy: string | null;
}

/** The landing page too (docs/product.md#login-page). */
export function SigninPage({ productName, invitedBy, ...props }: SigninPageProps) {
  const { language } = props;
  const { signin: texts, card, page } = CATALOGUES[language.language];
  const links = {
    terms: <a href={POLICY_PATHS.terms}>{texts.termsLink}</a>,
    privacy: <a href={POLICY_PATHS.privacy}>{texts.privacyLink}</a>,
  };
  return (
    <WidgetPage {...props} title={`${texts.title} - ${productName}`}>
      <div className="signin">
        <header className="signin-head">
          <Wordmark productName={productName} />
        </header>
        <main className="signin-main">
          <h1>{texts.headline}</h1>
          <p className="signin-description">{texts.promise}</p>
          <div className="signin-panel">
            <WidgetSkeleton />
            <output className="visually-hidden">{texts.loading}</output>
          </div>
          {invitedBy !== null && (
            <p className="signin-terms">
              {fillElements(texts.byInvitation, {
                email: <a href={`mailto:${invitedBy}`}>{invitedBy}</a>,
              })}
            </p>
          )}
          <noscript>{texts.needsScript}</noscript>
          <p className="signin-terms">{fillElements(texts.terms, links)}</p>
        </main>
        <aside className="signin-sample" aria-label={texts.sampleCard}>
          <Mosaic
            seed={SAMPLE_PROFILE._id}
            grid={BACKGROUND_GRID}
            className="mosaic signin-mosaic"
          />
          <div className="signin-card">
            <CardTexts value={card}>
              <Card
                profile={{ ...SAMPLE_PROFILE, ...texts.sample }}
                iconBaseUrl=""
                mode="preview"
              />
            </CardTexts>
          </div>
        </aside>
        <footer className="signin-foot">
          <PolicyLinks names={texts.policies} />
          <LanguageLinks {...language} label={page.language} />
        </footer>
      </div>
    </WidgetPage>
  );
}

/** The on-screen keyboard makes the page smaller, so a sticky button stays above it. */
const VIEWPORT =
  'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';

/** What a page with a login provider's widget gets from the server. */
interface WidgetPageProps extends Pick<
  ComponentProps<typeof Document>,
  'language' | 'title' | 'style' | 'children'
> {
  readonly script: string;
  /** The provider's script, which the page's script loads. */
  readonly widgetScript: string | undefined;
  /** The JSON is escaped for HTML. */
  readonly settings: { readonly id: string; readonly json: string };
}

/** Complete without its script, which starts the widget. */
function WidgetPage({ script, widgetScript, settings, children, ...page }: WidgetPageProps) {
  const head = (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      <script type="module" src={script} />
      {widgetScript !== undefined && <link rel="preload" as="script" href={widgetScript} />}
    </>
  );
  return (
    <Document {...page} isIndexed={false} viewport={VIEWPORT} head={head}>
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
function WidgetSkeleton() {
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
