import type { ComponentProps } from 'react';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import { SIGNIN } from '#domain/language/en.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';

import { Card } from './card.tsx';
import { CardTexts, LanguageMenu, fillElements } from './language.tsx';
import { Mosaic } from './mosaic.tsx';
import { PolicyLinks } from './policy-links.tsx';
import sampleFace from './sample-face.svg?inline';
import { Document, Wordmark } from './document.tsx';

export const SAMPLE_PROFILE: Profile = {
  _id: 'MeeraTesseraCard',
  ...SIGNIN.sample,
  phone: '+91 98765 43210',
  email: 'meera@studio.example',
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
  /** The email to ask for an invitation, or null if nobody needs one. */
  readonly invitationEmail: string | null;
}

/** The login page, which is also the landing page (docs/develop/product.md#login-page). */
export function SigninPage({ productName, invitationEmail, ...props }: SigninPageProps) {
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
          <LanguageMenu {...language} label={page.language} />
        </header>
        <main className="signin-main">
          <h1>{texts.headline}</h1>
          <p className="signin-description">{texts.promise}</p>
          <div className="signin-panel">
            <WidgetSkeleton {...texts} />
          </div>
          {invitationEmail !== null && (
            <p className="signin-terms">
              {fillElements(texts.byInvitation, {
                email: <a href={`mailto:${invitationEmail}`}>{invitationEmail}</a>,
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
        </footer>
      </div>
    </WidgetPage>
  );
}

/** The on-screen keyboard makes the page smaller, so a sticky button stays above it. */
const VIEWPORT =
  'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';

interface WidgetPageProps extends Pick<
  ComponentProps<typeof Document>,
  'language' | 'title' | 'style' | 'children'
> {
  readonly script: string;
  /** The provider's script, which the page's script loads. */
  readonly widgetScript: string | undefined;
  /** The JSON is already escaped for HTML. */
  readonly settings: { readonly id: string; readonly json: string };
}

/** The page is complete without its script, which starts the widget. */
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

/** The page on which the login provider's widget confirms the owner's phone (docs/develop/product.md#account). */
export function VerifyPage(props: Omit<WidgetPageProps, 'children'>) {
  return (
    <WidgetPage {...props}>
      <main className="account-verify">
        <div className="account-dialog">
          <h1 className="visually-hidden">Account and data</h1>
          <WidgetSkeleton
            loading="Your account is loading"
            notLoaded="We couldn't load this page. Check your network, or whether something is blocking it."
            tryAgain={SIGNIN.tryAgain}
          />
        </div>
      </main>
    </WidgetPage>
  );
}

type SkeletonTexts = Readonly<Record<'loading' | 'notLoaded' | 'tryAgain', string>>;

/**
 * The skeleton of the widget. The script of the page replaces it with the same blocks
 * (web/shared/otp/widget.ts). If the script never runs, the stylesheet ends it.
 */
function WidgetSkeleton({ loading, notLoaded, tryAgain }: SkeletonTexts) {
  return (
    <div className="widget skeleton-ends">
      <div className="widget-skeleton">
        {['label', 'input', 'button'].map((block) => (
          <span key={block} className={`skeleton widget-${block}`} aria-hidden="true" />
        ))}
      </div>
      <output className="visually-hidden">{loading}</output>
      <p className="skeleton-late">
        {notLoaded}{' '}
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the same page, with its query */}
        <a className="link" href="">
          {tryAgain}
        </a>
      </p>
    </div>
  );
}
