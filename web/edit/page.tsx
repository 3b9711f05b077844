import './edit.css';

import { useOwner } from '#web/http/owner.ts';
import { usePageTitle } from '#web/ui/page-title.ts';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

import { Form } from './form.tsx';
import { Head } from './head.tsx';

/** Edit Profile (specification, section 2). The photo is drawn by the route inside it. */
export function Page() {
  usePageTitle('Edit Profile');
  const profile = useOwner();
  return profile ? <Form profile={profile} /> : <Coming />;
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
