import './edit.css';

import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { forgetProfile, useProfile } from '#web/http/profile.ts';
import { START_FACTS } from '#web/http/start-fact.ts';
import { PATHS } from '#web/paths.ts';
import { usePageTitle } from '#web/ui/page-title.ts';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

import { Form } from './form.tsx';
import { Head } from './head.tsx';

/** Edit Profile (specification, section 2). The photo is drawn by the route inside it. */
export function Page() {
  usePageTitle('Edit Profile');
  const state = useProfile();
  const navigate = useNavigate();
  const hasFailed = state.kind === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    forgetProfile();
    void navigate(PATHS.start, { replace: true, state: START_FACTS.userFetchFailed });
  }, [hasFailed, navigate]);
  return state.kind === 'ready' ? <Form profile={state.profile} /> : <Coming />;
}

/** As the form has them: its style sheet gives each its place. */
const FIELDS = ['name', 'designation', 'companyName', 'bio', 'phone', 'email'] as const;

function Coming() {
  return (
    <div className="edit">
      <Head />
      <main className="edit-main">
        <LoadingNote>Your card is loading</LoadingNote>
        <Skeleton shape="edit-coming-photo" />
        <div className="edit-fields">
          {FIELDS.map((field) => (
            <div key={field} className={`edit-coming-field edit-field-${field}`}>
              <Skeleton shape="edit-coming-label" />
              <Skeleton shape={`edit-coming-input edit-coming-${field}`} />
            </div>
          ))}
        </div>
      </main>
    </div>
  );
}
