package beads

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// byLine makes a file of each line, for the tests that read JSON.
func byLine(export []byte) []migrate.File {
	var files []migrate.File
	for line := range bytes.Lines(export) {
		files = append(files, migrate.File{Path: fmt.Sprintf("line %d", len(files)+1), Data: line})
	}
	return files
}

func convert(data []byte) migrate.Outcome {
	return Convert(migrate.Input{Files: []migrate.File{{Path: "issues.jsonl", Data: data}}})
}

func TestGoldenPair(t *testing.T) {
	migratetest.Golden(t, "want-small.txt", migratetest.Snapshot(t, convert([]byte(small))))
}

func TestGoldenPairsOfRealFiles(t *testing.T) {
	var b strings.Builder
	for _, file := range realExports(t) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		out := convert(data)
		migratetest.RequireNothingLost(t, byLine(data), out)
		fmt.Fprintf(&b, "%s\n%s\n", filepath.Base(file), migratetest.Digests(t, out))
	}
	migratetest.Golden(t, "want-real.txt", []byte(b.String()))
}

func TestNothingIsLostOfVersionsNobodyHasSeen(t *testing.T) {
	lines := byLine([]byte(small))
	for seed := range uint64(300) {
		mutated := lines
		for n := range uint64(4) {
			mutated = migratetest.NewMutator(seed*4 + n).Files(mutated)
		}
		var all []byte
		for i, f := range mutated {
			mutated[i].Data = append(bytes.ReplaceAll(f.Data, []byte("\n"), []byte(" ")), '\n')
			all = append(all, mutated[i].Data...)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireNothingLost(t, mutated, convert(all)) })
	}
}

func TestNothingIsLostOfLongTexts(t *testing.T) {
	long := func(word string) string { return strings.Repeat(word+" ", 150_000) }
	line := fmt.Sprintf(`{"id":"a","title":"T","description":%q,"design":%q,"acceptance_criteria":%q,"status":"open"}`, long("told"), long("drawn"), long("wanted"))
	titled := fmt.Sprintf(`{"id":"b","title":%q}`, long("called"))
	var edges []string
	for n := range 20_000 {
		edges = append(edges, fmt.Sprintf(`{"depends_on_id":"some-rather-long-id-that-goes-on-and-on-until-nobody-reads-it-%d","type":"blocks"}`, n))
	}
	waiting := fmt.Sprintf(`{"id":"c","title":"C","dependencies":[%s]}`, strings.Join(edges, ","))
	for _, line := range []string{line, titled, waiting} {
		out := convert([]byte(line + "\n"))
		migratetest.RequireNothingLost(t, byLine([]byte(line)), out)
		for _, o := range out.Objects {
			text, err := resources.Encode(o)
			require.NoError(t, err)
			require.Less(t, len(text), resources.MaxFileSize)
		}
	}
}

func TestAListIsReadLikeLines(t *testing.T) {
	var items []string
	for _, f := range byLine([]byte(small)) {
		items = append(items, strings.TrimSpace(string(f.Data)))
	}
	list := "[\n  " + strings.Join(items, ",\n  ") + "\n]\n"
	for _, text := range []string{list, `{"issues":` + list + `}`} {
		require.Equal(t, convert([]byte(small)).Objects, convert([]byte(text)).Objects)
	}
}
