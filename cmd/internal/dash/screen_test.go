package dash

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v3"
	"github.com/gdamore/tcell/v3/color"
	"github.com/gdamore/tcell/v3/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// noon is when the tests take place.
var noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// desk is a dashboard on a terminal that is none, whose host writes down what it is asked for.
type desk struct {
	*model
	t        *testing.T
	term     vt.MockTerm
	canvas   canvas
	did      []string
	shelled  []string
	verbs    []string
	said     string
	err      error
	next     map[string]*resources.Checkpoint // by the call that was denied
	whole    []string                         // agents whose hooks are installed
	wrong    []string                         // and what is wrong with those of others
	describe func(about string) *queries.Description
}

func (d *desk) Describe(_ context.Context, about string) (*queries.Description, error) {
	if d.describe == nil {
		return &queries.Description{}, nil
	}
	return d.describe(about), nil
}

func (d *desk) Next(_ context.Context, denied *resources.Event) *resources.Checkpoint {
	return d.next[denied.Violation.Call]
}

func (d *desk) Do(_ context.Context, args ...string) (string, error) {
	d.did = append(d.did, strings.Join(args, "|"))
	return d.said, d.err
}
func (d *desk) Undo(context.Context) (string, error) {
	d.did = append(d.did, "undo")
	return "undone", nil
}
func (d *desk) Has(verb string) bool {
	return slices.Contains(append(d.verbs, "start", "complete", "get"), verb)
}
func (d *desk) Takes(args ...string) bool { return args[0] == "edit" }
func (d *desk) Shell(args ...string) error {
	d.shelled = append(d.shelled, strings.Join(args, "|"))
	return nil
}
func (d *desk) Hooks() (whole, wrong []string) { return d.whole, d.wrong }
func (d *desk) Looked(time.Time)               {}

// kindOfTerminal is what a terminal shows.
type kindOfTerminal struct{ unicode, colour bool }

var colourful = kindOfTerminal{true, true}

// newDesk is a dashboard of that size that shows a state.
func newDesk(t *testing.T, width, height int, k kindOfTerminal, s State) *desk {
	colors := 0
	if k.colour {
		colors = 256
	}
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("LINES", "")
	t.Setenv("COLUMNS", "")
	term := vt.NewMockTerm(vt.MockOptSize{X: vt.Col(width), Y: vt.Row(height)}, vt.MockOptColors(256))
	screen, err := tcell.NewTerminfoScreenFromTty(term, tcell.OptColors(colors), tcell.OptNegotiation(false), tcell.OptTerm("xterm"))
	require.NoError(t, err)
	require.NoError(t, screen.Init())
	t.Cleanup(screen.Fini)
	d := &desk{t: t, term: term, canvas: canvas{screen, k.unicode, k.colour}}
	d.model = newModel(t.Context(), Options{Host: d, Repository: "shop", Unicode: k.unicode, Colour: k.colour, Now: func() time.Time { return noon }, LookedAt: noon.Add(-26 * time.Minute)})
	d.width, d.height = width, height
	d.settles(d.take(s))
	return d
}

// settles does what takes time, at once.
func (d *desk) settles(effects []effect) {
	for len(effects) > 0 {
		next := effects[0]
		effects = append(effects[1:], d.take(next())...)
	}
	if d.shell != nil {
		d.shell()
		d.shell = nil
	}
}

// types presses keys, of which the names stand between blanks; 'text' is typed letter by letter.
func (d *desk) types(keys ...string) *desk {
	for _, k := range keys {
		if text, quoted := strings.CutPrefix(k, "'"); quoted {
			for _, r := range text {
				d.settles(d.press(string(r)))
			}
			continue
		}
		d.settles(d.press(k))
	}
	return d
}

// lines are what the terminal shows.
func (d *desk) lines() []string {
	d.paint(d.canvas)
	d.canvas.screen.Show()
	lines := make([]string, d.height)
	for y := range d.height {
		var b strings.Builder
		for x := 0; x < d.width; x++ {
			cell := d.term.GetCell(vt.Coord{X: vt.Col(x), Y: vt.Row(y)})
			if cell.C == "" {
				cell.C = " "
			}
			b.WriteString(cell.C)
			x += max(cell.W, 1) - 1
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// looks are how it shows that: a letter for each cell.
func (d *desk) looks() []string {
	letters := map[color.Color]byte{color.Green: 'g', color.Blue: 'b', color.Olive: 'y', color.Maroon: 'r', color.Purple: 'p'}
	lines := make([]string, d.height)
	for y := range d.height {
		line := make([]byte, d.width)
		for x := range d.width {
			s := d.term.GetCell(vt.Coord{X: vt.Col(x), Y: vt.Row(y)}).S
			line[x] = ' '
			if s == nil {
				continue
			}
			switch a := s.Attr(); {
			case a&vt.Reverse != 0:
				line[x] = '#'
			case letters[s.Fg()] != 0:
				line[x] = letters[s.Fg()]
			case a&vt.Bold != 0:
				line[x] = 'B'
			case a&vt.Dim != 0:
				line[x] = '.'
			}
		}
		lines[y] = strings.TrimRight(string(line), " ")
	}
	return lines
}

// golden compares with a file.
func golden(t *testing.T, name, got string) {
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test -update writes it")
	assert.Equal(t, string(want), got, name)
}
