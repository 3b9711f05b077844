import { Document } from './document.tsx';
import { EFFECTIVE_DATE } from './policies/policy.tsx';
import type { Policy, PolicyFacts } from './policies/policy.tsx';
import { privacy } from './policies/privacy.tsx';
import { refund } from './policies/refund.tsx';
import { shipping } from './policies/shipping.tsx';
import { terms } from './policies/terms.tsx';

export const POLICIES: readonly Policy[] = [terms, privacy, refund, shipping];

interface PolicyProps {
  readonly policy: Policy;
  readonly facts: PolicyFacts;
}

/** Returns the policy with the operator's own text, one paragraph for each line, as its last section. */
export function withAddition(policy: Policy, addition: string): Policy {
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
  /** The absolute URL of the page, for search engines. */
  readonly address: string;
}

/** A policy as a page for screen and print (docs/product.md#policies). */
export function PolicyPage({ policy, facts, style, address }: PolicyPageProps) {
  return (
    <Document
      title={`${policy.title} - ${facts.productName}`}
      description={policy.summary(facts)}
      isIndexed
      head={
        <>
          <link rel="canonical" href={address} />
          <link rel="manifest" href="/manifest.webmanifest" />
        </>
      }
      style={style}
    >
      <PolicyText policy={policy} facts={facts} />
    </Document>
  );
}

function PolicyText({ policy, facts }: PolicyProps) {
  return (
    <div className="policy">
      <a className="policy-skip" href="#policy">
        Skip to the text
      </a>
      <header className="policy-top">
        <a className="policy-brand" href="/login">
          <img src="/favicon.svg" width="28" height="28" alt="" />
          {facts.productName}
        </a>
        <a className="policy-login" href="/login">
          Log in
        </a>
      </header>
      <main id="policy">
        <h1>{policy.title}</h1>
        <p className="policy-date">Effective date: {EFFECTIVE_DATE}</p>
        <p className="policy-summary">{policy.summary(facts)}</p>
        <Contents policy={policy} />
        {policy.sections.map(({ id, heading, body }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{heading}</h2>
            {body(facts)}
          </section>
        ))}
      </main>
      <Footer policy={policy} facts={facts} />
    </div>
  );
}

function Contents({ policy }: { readonly policy: Policy }) {
  return (
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
  );
}

function Footer({ policy, facts }: PolicyProps) {
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
        Support: <a href={`mailto:${facts.supportEmail}`}>{facts.supportEmail}</a>
      </p>
    </footer>
  );
}
