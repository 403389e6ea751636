import { useEffect, useState } from 'preact/hooks';
import { LearningCurves } from './learning_curves';
import type { TabProps } from './tab_props';

/** The height that is left below the head of the page, within reason. */
export function useRoomBelow(above: number): number {
  const room = () => Math.max(320, Math.min(1100, window.innerHeight - above));
  const [height, setHeight] = useState(room);
  useEffect(() => {
    const update = () => setHeight(room());
    window.addEventListener('resize', update);
    return () => window.removeEventListener('resize', update);
  }, []);
  return height;
}

export function CurvesTab(props: TabProps) {
  const height = useRoomBelow(340);
  return (
    <div class="panel">
      <LearningCurves {...props} height={height} />
    </div>
  );
}
