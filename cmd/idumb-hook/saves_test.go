//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// editorScript saves the files $1 to $2 of the plan while a hook annotates them, after a pause. Every
// second file is written in place, the others are replaced.
const editorScript = `cd "$3" && sleep "$4" && i=$1
while [ $i -lt $2 ]; do
	text='{"spec": {"workPlan": "user-auth", "expectedOutput": "edited"}}'
	case $i in
	*[02468]) echo "$text" >n$i.json ;;
	*) echo "$text" >n$i.json~ && mv n$i.json~ n$i.json ;;
	esac
	i=$((i + 1))
done`

// TestNoSaveIsLostToTheNote has an editor save 250 task files at the time at which the hook, or the
// controller, notes that an agent wrote them.
func TestNoSaveIsLostToTheNote(t *testing.T) {
	const saves, perCall = 250, 25
	for _, world := range []string{"alone", "with a controller"} {
		t.Run(world, func(t *testing.T) {
			p := newProject(t)
			if world != "alone" {
				p = starting(t)
				p.session("s")
				p.pid()
			}
			tasks, noted := filepath.Join(p.root, ".idumb/tasks"), 0
			for first := 0; first < saves; first += perCall {
				require.Empty(t, p.bash("python3 plan.py").reason)
				for i := first; i < first+perCall; i++ {
					p.write(fmt.Sprintf(".idumb/tasks/n%d.json", i), `{"spec": {"workPlan": "user-auth", "expectedOutput": "o"}}`)
				}
				pause := strconv.FormatFloat((time.Duration(first/perCall) * 4 * time.Millisecond).Seconds(), 'f', 3, 64)
				editor := exec.Command("sh", "-c", editorScript, "editor", strconv.Itoa(first), strconv.Itoa(first+perCall), tasks, pause)
				require.NoError(t, editor.Start())
				p.tool("PostToolUse", "Bash", map[string]any{"command": "python3 plan.py"})
				require.NoError(t, editor.Wait())
			}
			time.Sleep(300 * time.Millisecond) // the controller may still have notes to write
			for i := range saves {
				text := p.read(fmt.Sprintf(".idumb/tasks/n%d.json", i))
				assert.Contains(t, text, "edited", "task n%d", i)
				if strings.Contains(text, "made-by") {
					noted++
				}
			}
			t.Log(noted, "notes in what the editor saved")
			left, err := filepath.Glob(filepath.Join(tasks, ".*"))
			require.NoError(t, err)
			assert.Empty(t, left, "temporary files")
		})
	}
}
