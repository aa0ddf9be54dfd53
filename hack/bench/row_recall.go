package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureRecall takes what a cold process pays to recall from, and to pack, many mems, with
// no controller running. The floor lists and stats the files of these mems, as a Go program
// does it that must not miss an edit; what that costs beside an empty program comes first.
func measureRecall(b *bench) ([]Result, error) {
	n := b.size(10_000, 1000)
	repo, err := drive.NewRepo(b.bin)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	if err := writeMems(repo, n); err != nil {
		return nil, err
	}
	stat, err := buildStat(b.bin)
	if err != nil {
		return nil, err
	}
	for range 3 { // the index of the files, of the words, and of the folder's names
		if _, err := repo.Idumb("mem", "recall", "session token"); err != nil {
			return nil, err
		}
		time.Sleep(200 * time.Millisecond) // what changed a moment ago is not trusted yet
	}
	costs, err := interleave(b.size(20, 3),
		process{path: b.empty},
		process{path: stat, args: []string{repo.Path("mems")}, dir: repo.Dir},
		process{path: b.bin.Path("idumb"), args: []string{"mem", "recall", "how are session tokens renewed"}, dir: repo.Dir, env: repo.Env()},
		process{path: b.bin.Path("idumb"), args: []string{"context"}, dir: repo.Dir, env: repo.Env()},
	)
	if err != nil {
		return nil, err
	}
	empty, costs := costs[0], costs[1:]
	results := []Result{
		{What: fmt.Sprintf("stat of %d files, wall", n), Unit: "ms", Floor: ms(empty.wall), Ours: ms(costs[0].wall)},
		{What: fmt.Sprintf("stat of %d files, CPU", n), Unit: "ms", Floor: ms(empty.cpu), Ours: ms(costs[0].cpu)},
	}
	for i, what := range []string{"recall", "context"} {
		results = append(results,
			Result{What: fmt.Sprintf("%s over %d mems, wall", what, n), Unit: "ms", Floor: ms(costs[0].wall), Ours: ms(costs[i+1].wall), Goal: "20 ms"},
			Result{What: fmt.Sprintf("%s over %d mems, CPU", what, n), Unit: "ms", Floor: ms(costs[0].cpu), Ours: ms(costs[i+1].cpu)})
	}
	return results, nil
}

// writeMems writes n mems of some forty words each.
func writeMems(repo *drive.Repo, n int) error {
	dir := repo.Path("mems")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 5000)
	for i := range n {
		var text strings.Builder
		for range 40 {
			fmt.Fprintf(&text, "word%c%c%d ", 'a'+rune(zipf.Uint64()%26), 'a'+rune(zipf.Uint64()%7), zipf.Uint64()%9)
		}
		if i%50 == 0 {
			text.WriteString("session tokens are renewed")
		}
		name := fmt.Sprintf("m-%05d", i)
		object := fmt.Sprintf(`{"apiVersion": "idumb.dev/v1alpha1", "kind": "Mem", "metadata": {"name": "%s", "creationTimestamp": "2026-11-%02dT10:00:00Z"}, "spec": {"title": "Note %d", "content": "%s", "tags": ["t%d"]}}`,
			name, 1+i%20, i, text.String(), i%90)
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(object), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// buildStat builds a program that lists a folder and stats each file in it.
func buildStat(bin drive.Bin) (string, error) {
	dir, err := os.MkdirTemp("", "idumb-stat-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	const text = `package main

import "os"

func main() {
	entries, err := os.ReadDir(os.Args[1])
	for _, e := range entries {
		if _, failed := e.Info(); failed != nil {
			err = failed
		}
	}
	if err != nil {
		panic(err)
	}
}
`
	for name, content := range map[string]string{"go.mod": "module stat\n\ngo 1.25\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin.Path("stat"), ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build of a program that stats files: %w\n%s", err, out)
	}
	return bin.Path("stat"), nil
}
