package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// Packs are made for each question of a set as they are printed, frame and all, where the budget is
// 1,000 tokens and the question is the active task's title.
//
//	relevant    of a question's mems, those whose ID and text the pack has
//	mem text    tokens (o200k_base) of what the mems in it say, with their titles
//	task, plan  tokens of the task's and the plan's titles, outputs and criteria
//	scaffolding the rest: rules, tags, dates, names, brackets, what mems cite
const (
	packTokens = 1000

	goalRelevant, goalMemText, goalScaffolding = 0.90, 0.65, 0.25
)

// Texts of the plan and the task that packs of questions have.
const (
	packPlan, packAccept, packOutput = "Answer what people ask", "Each question has an answer", "The answer, with what shows it"
)

// printed is what packs came to.
type printed struct {
	packs, mems, most             int
	relevant                      float64 // shares, summed
	tokens, memTokens, taskTokens int
}

// packsOf packs for each question of each set.
func (o *options) packsOf() error {
	exact, err := counters()
	if err != nil {
		return err
	}
	fmt.Fprintf(o.out, "\n| packs at %d tokens, as printed | packs | tokens, most | mems in one | relevant inside (goal %.2f) | mem text (goal %.2f) | task and plan | scaffolding (goal at most %.2f) |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n", packTokens, goalRelevant, goalMemText, goalScaffolding)
	for _, file := range o.ownSets() {
		s, err := readSet(file)
		if err != nil {
			return err
		}
		every := 1
		if o.quick {
			every = 5
		}
		k := printPacks(s, every, exact[0])
		memText, task := share(k.memTokens, k.tokens), share(k.taskTokens, k.tokens)
		fmt.Fprintf(o.out, "| %s | %d | %d, %d | %.1f | %.3f | %.3f | %.3f | %.3f |\n", s.name, k.packs, k.tokens/max(k.packs, 1), k.most, float64(k.mems)/float64(max(k.packs, 1)),
			k.relevant/float64(max(k.packs, 1)), memText, task, 1-memText-task)
	}
	return nil
}

// printPacks packs for every so many-th question of a set.
func printPacks(s *set, every int, exact counter) (k printed) {
	asked := 0
	for _, part := range s.parts {
		in := packInput(part)
		for _, q := range part.questions {
			if asked++; asked%every == 0 {
				in.Tasks[0].Object.Spec.Title = q.text
				k.add(part, q, string(packer.Build(in).Bytes), exact)
			}
		}
	}
	return k
}

// packInput is a store with one task that is active; the question is to become its title.
func packInput(s *store) packer.Input {
	config := resources.DefaultConfig()
	config.ContextWindow, config.ContextShare, config.ContextMinCharacters = 10*packTokens, 10, 0
	in := packer.Input{
		Day: day(12).Time, Config: &config, Active: []string{"question"},
		Session: &resources.Session{Header: header("ses", 12), Spec: resources.SessionSpec{Host: "claude", Agent: "executor", ActiveTask: "question"}},
		Role:    &resources.Role{Header: header("executor", 1)},
		Plan: &packer.Plan{
			Object: &resources.WorkPlan{Header: header("p", 1), Spec: resources.WorkPlanSpec{Title: packPlan, State: resources.PlanActive, Acceptance: []string{packAccept}}},
			Status: resources.WorkPlanStatus{Common: resources.Common{Phase: resources.PlanActive}, Progress: resources.PlanProgress{Total: 1}},
		},
		Tasks: []packer.Task{{
			Object: &resources.Task{Header: header("question", 1), Spec: resources.TaskSpec{WorkPlan: "p", ExpectedOutput: packOutput, State: resources.TaskActive}},
			Status: resources.TaskStatus{Common: resources.Common{Phase: resources.TaskActive}},
		}},
	}
	for i, d := range s.documents {
		m := memOf(d, i)
		m.Object.Spec.AppliesWhen = &resources.AppliesWhen{Cues: d.Cues, Symbols: d.Symbols, Paths: d.Globs}
		m.Object.Spec.OriginTask = d.Origin
		in.Mems = append(in.Mems, m)
	}
	return in
}

// add counts one pack.
func (k *printed) add(s *store, q question, pack string, exact counter) {
	tokens := exact.count(pack)
	k.packs, k.tokens, k.most = k.packs+1, k.tokens+tokens, max(k.most, tokens)
	plain := strings.Join(strings.Fields(html.UnescapeString(pack)), " ")
	found := 0
	for i, d := range s.documents {
		if !strings.Contains(plain, fmt.Sprintf("%s/m-%03d)", resources.Mems, i)) {
			continue
		}
		k.mems++
		found += count(q.relevant[i])
		k.memTokens += exact.count(printedOf(plain, d.Text))
		if d.Text != d.Title && !strings.HasPrefix(d.Text, d.Title) {
			k.memTokens += exact.count(printedOf(plain, d.Title))
		}
	}
	k.relevant += float64(found) / float64(len(q.relevant))
	for _, text := range []string{q.text, packOutput, packPlan, packAccept} {
		k.taskTokens += exact.count(printedOf(plain, text))
	}
}

// printedOf is as much of a text's beginning as stands in a pack, at the place that has most of it; ""
// for less than a few words.
func printedOf(pack, text string) (longest string) {
	text = strings.Join(strings.Fields(text), " ")
	begin := text[:min(len(text), 20)]
	for at := 0; ; {
		next := strings.Index(pack[at:], begin)
		if next < 0 || begin == "" {
			return longest
		}
		at += next
		n := len(begin)
		for n < len(text) && at+n < len(pack) && pack[at+n] == text[n] {
			n++
		}
		if n > len(longest) {
			longest = text[:n]
		}
		at++
	}
}
