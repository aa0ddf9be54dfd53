package main

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
)

// maxTouched is how many files a commit may change to be asked for: who changes more did
// not look for them.
const maxTouched = 20

// maxSubjects is how many subjects of earlier commits a file is known by.
const maxSubjects = 20

// askHistory asks for each of the last commits of a repository which files it changed, by
// its subject alone. Files are known by their paths, what they held before the commit, and
// the subjects of earlier commits that changed them.
func askHistory(dir string, most int) (map[string]measures, error) {
	commits, err := history(dir)
	if err != nil {
		return nil, err
	}
	contents, err := openBlobs(dir)
	if err != nil {
		return nil, err
	}
	defer contents.close()
	subjects, last := map[string][]string{}, map[string]int{}
	results := map[string]measures{}
	first := firstAsked(commits, most)
	var known memory
	for i, c := range commits {
		if i >= first && isAsked(c) {
			s, err := filesBefore(dir, c, contents, subjects, last)
			if err != nil {
				return nil, err
			}
			s.memory = known
			s.askCommit(c, results)
			known = s.memory
		}
		for _, f := range c.touched {
			subjects[f] = append(subjects[f], c.subject)
			subjects[f] = subjects[f][max(0, len(subjects[f])-maxSubjects):]
			last[f] = i + 1
		}
	}
	for name, m := range results {
		results[name] = m.mean()
	}
	return results, nil
}

func isAsked(c commit) bool {
	return c.parent != "" && len(c.files) > 0 && len(c.touched) <= maxTouched
}

// firstAsked is where the last commits begin that are asked for.
func firstAsked(commits []commit, most int) int {
	for i := len(commits) - 1; i >= 0; i-- {
		if isAsked(commits[i]) {
			if most--; most < 0 {
				return i + 1
			}
		}
	}
	return 0
}

// filesBefore is a store of the files that there were before a commit.
func filesBefore(dir string, c commit, contents *blobs, subjects map[string][]string, last map[string]int) (*store, error) {
	files, err := tree(dir, c.parent)
	if err != nil {
		return nil, err
	}
	s := &store{places: map[string]int{}}
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for i, path := range paths {
		text, err := contents.read(files[path])
		if err != nil {
			return nil, err
		}
		s.places[path] = i
		s.documents = append(s.documents, search.Document{
			ID: path, Revision: files[path] + strings.Join(subjects[path], "\n"), Text: text, Cues: subjects[path], Paths: []string{path}, Confidence: 80,
		})
		s.newest = append(s.newest, i)
	}
	slices.SortStableFunc(s.newest, func(a, b int) int { return last[paths[b]] - last[paths[a]] })
	return s, nil
}

// askCommit asks for one commit.
func (s *store) askCommit(c commit, results map[string]measures) {
	relevant := map[int]bool{}
	for _, f := range c.files {
		if at, ok := s.places[f]; ok {
			relevant[at] = true
		}
	}
	if len(relevant) == 0 {
		return
	}
	for _, r := range rankers {
		m := results[r.name]
		m.add(r.make(s)(c.subject, nil), relevant, func(int) int { return 1 << 20 })
		results[r.name] = m
	}
}
