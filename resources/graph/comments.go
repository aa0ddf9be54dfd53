package graph

import "github.com/idumb-dev/idumb/resources"

// Comment returns the last valid version of a comment.
func (g *Graph) Comment(name string) (*resources.Comment, bool) {
	return get[*resources.Comment](g, resources.Comments, name)
}

// CommentsNaming returns the comments with a reference to an object in their spec, sorted
// by name and therefore by age.
func (g *Graph) CommentsNaming(key resources.Key) []*resources.Comment {
	return g.comments(IndexRefers, key.String())
}

// CommentsBy returns the comments of an author, sorted by name.
func (g *Graph) CommentsBy(author string) []*resources.Comment {
	return g.comments(IndexAuthor, author)
}

// comments returns the comments with an index term. It is fast for the common case of no
// comments.
func (g *Graph) comments(index, value string) []*resources.Comment {
	if len(g.reader.Names(resources.Comments)) == 0 {
		return nil
	}
	return objects[*resources.Comment](g, resources.Comments, g.lookupNames(resources.Comments, index, value))
}
