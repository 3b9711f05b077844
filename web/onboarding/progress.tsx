import { ONBOARDING_STEPS } from '#domain/onboarding.ts';

/** The breadcrumb: where one is among the three steps. */
export function Progress({ step }: { readonly step: number }) {
  return (
    <nav aria-label="Steps" className="progress">
      <ol>
        {ONBOARDING_STEPS.map((name, index) => (
          <li
            key={name}
            className={index <= step ? 'progress-step progress-reached' : 'progress-step'}
            aria-current={index === step ? 'step' : undefined}
          >
            {index > 0 && (
              <span className="progress-sign" aria-hidden="true">
                {'> '}
              </span>
            )}
            <span>{name}</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
