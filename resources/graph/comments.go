package graph

import "github.com/idumb-dev/idumb/resources"

// Comment returns the last good version of a comment.
func (g *Graph) Comment(name string) (*resources.Comment, bool) {
	return get[*resources.Comment](g, resources.Comments, name)
}

// CommentsNaming returns the comments that name that object anywhere in their spec, sorted by name,
// which is by age.
func (g *Graph) CommentsNaming(key resources.Key) []*resources.Comment {
	return g.comments(IndexRefers, key.String())
}

// CommentsBy returns the comments of that author, sorted by name.
func (g *Graph) CommentsBy(author string) []*resources.Comment {
	return g.comments(IndexAuthor, author)
}

// comments are those under a term. Most repositories have none, and are asked all the time.
func (g *Graph) comments(index, value string) []*resources.Comment {
	if len(g.reader.Names(resources.Comments)) == 0 {
		return nil
	}
	return objects[*resources.Comment](g, resources.Comments, g.found(resources.Comments, index, value))
}
