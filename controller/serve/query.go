package serve

import (
	"context"
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Query sends a question of package queries to the controller of a repository and returns the
// answer. It returns nil if no controller answers or the question is unknown; the caller must then
// read the files. Data after the answer can be read until hangUp is called. The caller must call
// hangUp in every case.
func Query[A any](ctx context.Context, root layout.Root, name string, parameters url.Values) (answer *A, hangUp func()) {
	answer = new(A)
	told, hangUp := QueryInto(ctx, root, name, parameters, answer)
	if !told {
		answer = nil
	}
	return answer, hangUp
}

// QueryInto is like Query for an answer of a type known only at run time. It decodes the answer
// into the pointer answer. told reports whether the controller answered.
func QueryInto(ctx context.Context, root layout.Root, name string, parameters url.Values, answer any) (told bool, hangUp func()) {
	client, err := Dial(ctx, root)
	if err != nil {
		return false, func() {}
	}
	body, err := client.Question(ctx, name, parameters)
	if err != nil {
		client.Close()
		return false, func() {}
	}
	return queries.Receive(body, answer) == nil, func() { body.Close(); client.Close() }
}

// Neighbors queries a repository's controller for objects related to an object.
// Package mutate uses it.
type Neighbors struct{ Root layout.Root }

// relationTimeout is the timeout of a query. The caller holds the write lock
// meanwhile, and reading all files takes about as long.
const relationTimeout = 250 * time.Millisecond

// Referring returns the keys of the objects that refer to one of keys. It
// returns false if no controller answers.
func (a Neighbors) Referring(ctx context.Context, keys ...resources.Key) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"key": queries.Names(keys)})
	return queries.KeysOf(answer.Referring), known
}

// Saying returns the keys of the mems that contain these words. It returns
// false if no controller answers.
func (a Neighbors) Saying(ctx context.Context, words string) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"saying": {words}})
	return queries.KeysOf(answer.Mems), known
}

// OfTopic returns the keys of the mems of a topic. It returns false if no
// controller answers.
func (a Neighbors) OfTopic(ctx context.Context, topic string) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"topic": {topic}})
	return queries.KeysOf(answer.Mems), known
}

// PlanCounts returns the number of a plan's tasks in each phase. It returns
// false if no controller answers.
func (a Neighbors) PlanCounts(ctx context.Context, plan string) (map[string]int, bool) {
	answer, known := a.ask(ctx, url.Values{"plan": {plan}})
	return answer.Counts, known
}

// ask sends a question about relations to the controller. known is false if no controller answers
// within relationTimeout.
func (a Neighbors) ask(ctx context.Context, parameters url.Values) (found queries.Neighbors, known bool) {
	ctx, cancel := context.WithTimeout(ctx, relationTimeout)
	defer cancel()
	answer, hangUp := Query[queries.Neighbors](ctx, a.Root, queries.AskRelations, parameters)
	hangUp()
	if answer == nil {
		return found, false
	}
	return *answer, true
}
