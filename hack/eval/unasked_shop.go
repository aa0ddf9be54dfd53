package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// shop is a made-up repository of the shape that real ones have: packages that need one another by name
// through their index, files that import a few of their own package, most of them those that many
// others do; and sessions that read what belongs together and edit some of it.
func shop(seed uint64) *project {
	w := &shopWriter{r: rand.New(rand.NewPCG(seed, 7)), files: map[string]string{}, members: map[string][]string{}, users: map[string]int{}}
	w.files["package.json"] = `{"name": "shop", "private": true, "workspaces": ["packages/*", "apps/*"], "scripts": {"build": "tsc -b", "test": "vitest run", "lint": "eslint ."},
 "devDependencies": {"typescript": "5.9.3", "vitest": "3.2.4", "eslint": "9.39.1"}}`
	w.files["README.md"] = "# Shop\n\nSells things.\n"
	w.files["docs/plan.md"] = "# Plan: returns\n\nStatus: active\n\n- [ ] 1. Take goods back\n- [x] 2. Tell the customer\n"
	for _, p := range []struct {
		dir, name, needs string
		files            int
	}{
		{"packages/core", "@shop/core", "", 40}, {"packages/ui", "@shop/ui", "@shop/core", 55}, {"packages/db", "@shop/db", "@shop/core", 30},
		{"apps/api", "@shop/api", "@shop/core @shop/db", 70}, {"apps/web", "@shop/web", "@shop/core @shop/ui", 90},
	} {
		w.pack(p.dir, p.name, strings.Fields(p.needs), p.files)
	}
	p := &project{name: "made-up shop", files: w.files}
	for n := range shopSessions {
		p.tasks = append(p.tasks, planned{ID: fmt.Sprintf("t%d", n+1), Title: fmt.Sprintf("Part %d of returns", n+1), Output: "goods come back"})
		p.sessions = append(p.sessions, w.session(n))
	}
	return p
}

// How much is done in the shop.
const (
	shopSessions, shopPrompts = 12, 4
	shopReads, shopEdits      = 4, 2 // of a prompt, at most so many more than one
)

type shopWriter struct {
	r       *rand.Rand
	files   map[string]string
	members map[string][]string // of code, by the folder of a package
	users   map[string]int      // how many files import one
}

// pack writes a package of so many files, in areas of about eight.
func (w *shopWriter) pack(dir, name string, needs []string, files int) {
	w.files[dir+"/package.json"] = fmt.Sprintf(`{"name": %q, "main": "src/index.ts", "dependencies": {%s}}`, name, strings.Join(dependencies(needs), ", "))
	index := dir + "/src/index.ts"
	for n := range files {
		file := fmt.Sprintf("%s/src/area%d/part%d.ts", dir, n/8, n)
		w.code(dir, file, needs)
		w.members[dir] = append(w.members[dir], file)
		if n%5 == 0 {
			w.files[index] += fmt.Sprintf("export * from './area%d/part%d'\n", n/8, n)
		}
		if n%3 == 0 {
			w.files[strings.TrimSuffix(file, ".ts")+".test.ts"] = fmt.Sprintf("import {%s} from './part%d'\n", exportOf(file, 0), n)
		}
	}
	w.members[dir] = append(w.members[dir], index)
}

func dependencies(needs []string) (lines []string) {
	for _, name := range needs {
		lines = append(lines, fmt.Sprintf("%q: \"workspace:*\"", name))
	}
	return append(lines, `"react": "19.2.0"`, `"pg": "8.16.3"`)
}

// code writes one file, which imports up to four others of its package, those before that many import.
func (w *shopWriter) code(dir, file string, needs []string) {
	var b strings.Builder
	for n, used := range w.some(w.members[dir], w.r.IntN(5)) {
		w.users[used]++
		from, _ := relativeTo(path.Dir(file), used)
		fmt.Fprintf(&b, "import {%s as a%d} from '%s'\n", exportOf(used, 0), n, from)
	}
	if len(needs) > 0 && w.r.IntN(3) == 0 {
		fmt.Fprintf(&b, "import * as other from '%s'\n", needs[w.r.IntN(len(needs))])
	}
	for n := range 1 + w.r.IntN(4) {
		fmt.Fprintf(&b, "\nexport function %s(n: number): number {\n  return n + %d\n}\n", exportOf(file, n), n)
	}
	w.files[file] = b.String()
}

// exportOf is a name that a file exports.
func exportOf(file string, n int) string {
	return strings.TrimSuffix(path.Base(file), ".ts") + string(rune('A'+n))
}

// relativeTo is how a file of a folder names another one of its package.
func relativeTo(dir, file string) (string, bool) {
	name := strings.TrimSuffix(file, ".ts")
	if path.Dir(file) == dir {
		return "./" + path.Base(name), true
	}
	return "../" + path.Base(path.Dir(file)) + "/" + path.Base(name), false
}

// some are so many of the files, each once; who is used more is drawn more often.
func (w *shopWriter) some(of []string, most int) (drawn []string) {
	total := 0
	for _, file := range of {
		total += 1 + w.users[file]
	}
	for range most {
		if total == 0 {
			break
		}
		at := w.r.IntN(total)
		for _, file := range of {
			if at -= 1 + w.users[file]; at < 0 {
				if !slices.Contains(drawn, file) {
					drawn = append(drawn, file)
				}
				break
			}
		}
	}
	return drawn
}

// session is that of an agent at work in one package; at its end it takes away a name that others import.
func (w *shopWriter) session(n int) conversation {
	dirs := slices.Sorted(maps.Keys(w.members))
	of := w.members[dirs[n%len(dirs)]]
	c := conversation{name: fmt.Sprint("session ", n+1)}
	for turn := range shopPrompts {
		e := exchange{Prompt: fmt.Sprintf("Go on with step %d of the returns.", turn+1), Reads: w.some(of, 1+w.r.IntN(shopReads)), Edits: w.some(of, 1+w.r.IntN(shopEdits))}
		if turn == 0 {
			e.Start = fmt.Sprintf("t%d", n+1)
		}
		c.exchanges = append(c.exchanges, e)
	}
	c.exchanges[shopPrompts-1].Breaks = w.imported(of)
	return c
}

// imported is one file of which others import a name that stays nowhere else, and that no session broke yet.
func (w *shopWriter) imported(of []string) []string {
	for range 100 {
		file := of[w.r.IntN(len(of))]
		if w.users[file] > 0 {
			w.users[file] = 0
			return []string{file}
		}
	}
	return nil
}
