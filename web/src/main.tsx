import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { startLive } from './live';
import { route, startRouter, type Place } from './router';
import { loadSession, sessionState } from './store/session';
import { startKeys } from './ui/keys';
import { copyNamesWhole } from './ui/name';
import { Shell } from './ui/shell';
import { Empty, ErrorBox, Loading } from './ui/states';
import { Toasts } from './ui/toast';
import { CompareView } from './views/compare';
import { JobsView } from './views/jobs';
import { LoginView } from './views/login';
import { MachineView } from './views/machine';
import { NewJobView } from './views/new_job';
import { StudyView } from './views/study';
import { TrialView } from './views/trial';

function View({ place }: { place: Place }) {
  switch (place.view) {
    case 'jobs':
    case 'login':
      return <JobsView />;
    case 'study':
      return <StudyView key={place.study} study={place.study} tab={place.tab} />;
    case 'trial':
      return <TrialView key={`${place.study}/${place.trial}`} study={place.study} trial={place.trial} />;
    case 'compare':
      return <CompareView key={place.study} study={place.study} />;
    case 'new':
      return <NewJobView />;
    case 'machine':
      return <MachineView />;
    case 'unknown':
      return (
        <Empty title="There is no such page" isPage>
          <a href="/ui/jobs">All jobs</a>
        </Empty>
      );
  }
}

function App() {
  const state = sessionState.value;
  const isIn = state.kind === 'in';
  useEffect(() => {
    if (isIn) startLive(() => void loadSession());
  }, [isIn]);
  const { place } = route.value;
  if (state.kind === 'loading') return <Loading text="Asking the service" />;
  if (state.kind === 'error') return <ErrorBox error={state.error} onRetry={() => void loadSession()} />;
  if (place.view === 'login' || (state.kind === 'out' && !state.ended)) return <LoginView />;
  return (
    <>
      <div inert={!isIn}>
        <Shell>
          <View place={place} />
        </Shell>
        <Toasts />
      </div>
      {state.kind === 'out' && <LoginView isOver />}
    </>
  );
}

startRouter();
startKeys();
if (route.peek().place.view !== 'login') void loadSession();
else sessionState.value = { kind: 'out', ended: false };
copyNamesWhole();
render(<App />, document.getElementById('app')!);
