package serve

import (
	"context"
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Told is what the controller of a repository answers to one of package questions; nil where
// none does, or it does not know. What is sent behind an answer may be read until hangUp, which
// is to be called whatever came of it.
func Told[A any](ctx context.Context, root layout.Root, name string, parameters url.Values) (answer *A, hangUp func()) {
	answer = new(A)
	told, hangUp := ToldInto(ctx, root, name, parameters, answer)
	if !told {
		answer = nil
	}
	return answer, hangUp
}

// ToldInto is Told for who knows the answer's type only when running: it is read into a pointer.
func ToldInto(ctx context.Context, root layout.Root, name string, parameters url.Values, answer any) (told bool, hangUp func()) {
	client, err := Dial(ctx, root)
	if err != nil {
		return false, func() {}
	}
	body, err := client.Question(ctx, name, parameters)
	if err != nil {
		client.Close()
		return false, func() {}
	}
	return questions.Receive(body, answer) == nil, func() { body.Close(); client.Close() }
}

// Around asks the controller of a repository what stands around an object, for package mutate.
type Around struct{ Root layout.Root }

// aroundPatience is how long it waits for an answer. The write lock is held meanwhile, and
// everything can be read in not much longer.
const aroundPatience = 250 * time.Millisecond

// Referring returns the keys of the objects that refer to one of these.
func (a Around) Referring(ctx context.Context, keys ...resources.Key) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"key": questions.Names(keys)})
	return questions.KeysOf(answer.Referring), known
}

// Saying returns the keys of the mems with these words.
func (a Around) Saying(ctx context.Context, words string) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"saying": {words}})
	return questions.KeysOf(answer.Mems), known
}

// OfTopic returns the keys of the mems of a topic.
func (a Around) OfTopic(ctx context.Context, topic string) ([]resources.Key, bool) {
	answer, known := a.ask(ctx, url.Values{"topic": {topic}})
	return questions.KeysOf(answer.Mems), known
}

// PlanCounts returns how many of a plan's tasks stand in each phase.
func (a Around) PlanCounts(ctx context.Context, plan string) (map[string]int, bool) {
	answer, known := a.ask(ctx, url.Values{"plan": {plan}})
	return answer.Counts, known
}

func (a Around) ask(ctx context.Context, parameters url.Values) (found questions.Around, known bool) {
	ctx, cancel := context.WithTimeout(ctx, aroundPatience)
	defer cancel()
	answer, hangUp := Told[questions.Around](ctx, a.Root, questions.AskAround, parameters)
	hangUp()
	if answer == nil {
		return found, false
	}
	return *answer, true
}
