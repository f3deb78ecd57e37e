"""Language models: requests and answers, access to endpoints, and budgets."""
