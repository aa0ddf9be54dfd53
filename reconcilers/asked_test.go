package reconcilers

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
)

// Who edits a file and asks at once is told what follows from it, also about other tasks.
func TestAPackThatIsAskedForIsOfNow(t *testing.T) {
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	const tasks = 20
	for i := range tasks {
		s.task(link(i), dependsOn(i))
	}
	packs := s.startPacking()
	packs.phaseTimeout = 20 * time.Second // a busy machine takes longer than a hook would wait
	defer s.end()
	s.settled()
	for i := range tasks - 1 {
		s.task(link(i), dependsOn(i)+`,"state":"completed","result":{"evidence":"seen"}`)
		require.Eventually(t, func() bool { return s.manager.WaitSynced(t.Context()) == nil }, 20*time.Second, time.Millisecond)
		text, _ := packs.Pack(hooks.PackReader{})
		assert.Contains(t, text, "<next>\n- "+link(i+1), "after %s", link(i))
		assert.Contains(t, text, fmt.Sprintf("Progress: %d of %d tasks done", i+1, tasks))
	}
}
