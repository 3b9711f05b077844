import { PATHS } from '#domain/path.ts';

import { Document } from './document.tsx';
import { EFFECTIVE_DATE } from './policy/policy.tsx';
import type { Policy, PolicySettings } from './policy/policy.tsx';
import { refund, shipping, terms } from './policy/plan.tsx';
import { privacy } from './policy/privacy.tsx';

export const POLICIES: readonly Policy[] = [terms, privacy, refund, shipping];

interface PolicyProps {
  readonly policy: Policy;
  readonly settings: PolicySettings;
}

/** Adds the operator's own text as the last section, with a paragraph for each line. */
export function withOperatorText(policy: Policy, addition: string): Policy {
  const paragraphs = addition.split('\n').filter((line) => line.trim() !== '');
  if (paragraphs.length === 0) return policy;
  const body = () => paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>);
  return {
    ...policy,
    sections: [...policy.sections, { id: 'further-terms', heading: 'Further terms', body }],
  };
}

interface PolicyPageProps extends PolicyProps {
  readonly style: string;
  readonly url: string;
}

/** A page of docs/develop/product.md#policies. */
export function PolicyPage({ policy, settings, style, url }: PolicyPageProps) {
  return (
    <Document
      title={`${policy.title} - ${settings.productName}`}
      description={policy.summary(settings)}
      isIndexed
      head={
        <>
          <link rel="canonical" href={url} />
          <link rel="manifest" href="/manifest.webmanifest" />
        </>
      }
      style={style}
    >
      <PolicyText policy={policy} settings={settings} />
    </Document>
  );
}

function PolicyText({ policy, settings }: PolicyProps) {
  return (
    <div className="policy">
      <a className="policy-skip" href="#policy">
        Skip to the text
      </a>
      <header className="policy-top">
        <a className="policy-brand" href={PATHS.login}>
          <img src="/favicon.svg" width="28" height="28" alt="" />
          {settings.productName}
        </a>
        <a className="policy-login" href={PATHS.login}>
          Sign in
        </a>
      </header>
      <main id="policy">
        <h1>{policy.title}</h1>
        <p className="policy-date">Effective date: {EFFECTIVE_DATE}</p>
        <p className="policy-summary">{policy.summary(settings)}</p>
        <nav className="policy-contents" aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol>
            {policy.sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
        {policy.sections.map(({ id, heading, body }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{heading}</h2>
            {body(settings)}
          </section>
        ))}
      </main>
      <Footer policy={policy} settings={settings} />
    </div>
  );
}

function Footer({ policy, settings }: PolicyProps) {
  return (
    <footer className="policy-foot">
      <nav aria-label="Policies">
        <ul>
          {POLICIES.map(({ path, title }) => (
            <li key={path}>
              <a href={path} aria-current={path === policy.path ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p>
        Support: <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
      </p>
      {settings.abuseEmail !== null && (
        <p>
          Report abuse: <a href={`mailto:${settings.abuseEmail}`}>{settings.abuseEmail}</a>
        </p>
      )}
    </footer>
  );
}
