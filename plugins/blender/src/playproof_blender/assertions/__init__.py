"""What can be said of a project without a model: pure statements about stored evidence, each an assertion driver."""
